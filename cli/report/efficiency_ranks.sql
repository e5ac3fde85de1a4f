SELECT rank, percent, min(from_ns) OVER () / 1e9 AS least, max(to_ns) OVER () / 1e9 AS most,
       sum(mpi_ns) OVER () * 100.0 / sum(ns) OVER () AS mpi_percent
FROM (SELECT rank, sum(duration_ns) AS ns, sum(mpi_ns) AS mpi_ns, min(from_ns) AS from_ns,
             max(to_ns) AS to_ns, sum(duration_ns) * 100.0 / sum(sum(duration_ns)) OVER () AS percent
      FROM critical_path GROUP BY rank)
ORDER BY percent DESC, rank
