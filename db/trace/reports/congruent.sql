SELECT pattern(name) AS communicator, pattern(other_name) AS other, size, count(*) AS count, created_by,
       min(site) AS site
FROM congruent GROUP BY 1, 2, size, created_by, location(charged(site)) ORDER BY count(*) DESC, 1, 2
