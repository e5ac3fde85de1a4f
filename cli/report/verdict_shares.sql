SELECT 'mpi_percent' AS kind,
       printf('Time of %s%s: %.1f %% in MPI_Init and MPI_Finalize, %.1f %% in other MPI calls ("MPI time")',
              CASE WHEN threaded THEN 'threads' WHEN ranks THEN 'ranks' ELSE 'processes' END,
              iif(dead, ' until last seen', ''), lifecycle_percent, other_percent) AS text
FROM run_summary WHERE lifecycle_percent IS NOT NULL
