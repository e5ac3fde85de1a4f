SELECT 'process' AS what, rank, mpi_percent FROM processes UNION ALL SELECT 'thread', rank, mpi_percent FROM threads ORDER BY 1, 2;
