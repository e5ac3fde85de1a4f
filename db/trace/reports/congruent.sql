-- Communicators with the same members at the same time
-- empty: No two communicators without a reason to differ had the same members at the same time.
-- drop: created_by, size
-- One may do for both. Duplicates, topologies, and what has attributes are left out. Pairs whose names differ by digits only share a line.
SELECT coalesce(pattern(name), '(from ' || created_by || ')') AS communicator, coalesce(pattern(other_name), '(no name)') AS other, size,
       count(*) AS count, created_by, min(site) AS site
FROM congruent GROUP BY 1, 2, size, created_by, location(site) ORDER BY count(*) DESC, 1, 2
