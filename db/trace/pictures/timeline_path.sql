-- The 600 longest parts of the critical path.
SELECT step, rank, from_ns / 1e9 AS from_seconds, to_ns / 1e9 AS until_seconds, mpi_ns / 1e9 AS inside_seconds
FROM critical_path ORDER BY duration_ns DESC, step LIMIT 600
