-- Objects left, by the place that made them
-- empty: Everything that the program made was freed.
-- Made by the program and never freed, all ranks together.
SELECT kind, made_by, library, site, count(*) AS objects, ranges(rank) AS ranks, max(name) AS a_name
FROM leaks GROUP BY kind, made_by, site ORDER BY count(*) DESC, kind, made_by, site
