-- column until: call that ends this part of the path: the rank stops to wait for the rank of the next part
-- column parts: number of such parts
-- column seconds: their time
-- column percent: share of the whole path
-- column mpi_seconds: MPI time in it
SELECT rank, coalesce(function, '(end of the events)') AS until, min(site) AS site, count(*) AS parts,
       sum(duration_ns) / 1e9 AS seconds,
       sum(duration_ns) * 100.0 / sum(sum(duration_ns)) OVER () AS percent, sum(mpi_ns) / 1e9 AS mpi_seconds
FROM (SELECT rank, duration_ns, mpi_ns, lag(cause_function) OVER latest AS function,
             lag(cause_site) OVER latest AS site
      FROM critical_path WINDOW latest AS (ORDER BY step))
GROUP BY rank, function, location(charged(site)) ORDER BY sum(duration_ns) DESC, 1, 2, 3
