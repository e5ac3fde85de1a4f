-- Time by call site: % of MPI time without Init and Finalize
-- overview: 6, 10 rows
-- drop: sent_bytes, calls
-- Where in the program MPI was called from, all ranks together. Call sites of one source line, such as those of an unrolled loop, share a
-- row. open: as in the report communicators.
SELECT function, min(site) AS site, sum(calls) AS calls, nullif(sum(open), 0) AS open, 
       CASE WHEN sum(seconds) > 0 OR sum(open) = 0 THEN sum(seconds) END AS seconds, sum(percent) AS percent,
       sum(sent_bytes) AS sent_bytes
FROM call_sites GROUP BY function, location(site) ORDER BY sum(percent) IS NULL, sum(seconds) DESC, 1, 2
