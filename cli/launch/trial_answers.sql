SELECT (SELECT mpi FROM run_summary), (SELECT value FROM meta WHERE key = 'served_by_callsign'),
       (SELECT max(value) FROM attributes WHERE key = 'MPI_TAG_UB' AND found)
FROM process
WHERE outcome = 'finalized' AND init_ns IS NOT NULL
      AND 2 = (SELECT count(DISTINCT function) FROM calls WHERE function IN ('MPI_Init', 'MPI_Finalize'))
