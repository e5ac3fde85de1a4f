-- column communicator: name of the communicator that was created later
-- column other: name of one that existed already and has the same members in the same order
-- column count: number of such pairs
SELECT pattern(name) AS communicator, pattern(other_name) AS other, size, count(*) AS count, created_by,
       min(site) AS site
FROM congruent GROUP BY 1, 2, size, created_by, location(charged(site)) ORDER BY count(*) DESC, 1, 2
