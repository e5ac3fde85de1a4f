-- Ranks in the same state share a line. If there are many states, or a deadlock is reported (?1), those that differ only by
-- peer, tag and length share one, too.
WITH many (many) AS MATERIALIZED (
         SELECT count(*) > 16 OR ?1
         FROM (SELECT DISTINCT outcome, inside, thread, function, object_name, peer, tag, bytes, site,
                               begun_site FROM endings)),
     state AS (SELECT *, inside AND NOT many AS with_envelope FROM endings, many)
SELECT rank < 0 AS unranked, outcome, abort_code, alive,
       CASE WHEN outcome = 'aborted' AND function = 'MPI_Abort' THEN 1 ELSE inside END AS inside,
       thread, function, object_name, direction, begun_by,
       CASE WHEN with_envelope THEN peer END AS peer, CASE WHEN with_envelope THEN tag END AS tag,
       CASE WHEN with_envelope THEN bytes END AS bytes, min(site) AS site, count(*) AS count,
       ranges(CASE WHEN rank < 0 THEN pid ELSE rank END) AS ranks, min(rank) AS first,
       min(seconds) AS least_seconds, max(seconds) AS most_seconds, min(begun_site) AS begun_site
FROM state GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, location(charged(site)),
                    location(charged(begun_site))
ORDER BY outcome = 'running', 5, first, thread
