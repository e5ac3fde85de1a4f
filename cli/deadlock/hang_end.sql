SELECT CASE WHEN received IS NULL THEN ended.value ELSE began.value + after.value END
FROM job j JOIN (SELECT min(rank) AS rank FROM process) p
     JOIN meta ended ON ended.rank = p.rank AND ended.key = 'job.ended_utc_ns'
     JOIN meta began ON began.rank = p.rank AND began.key = 'job.began_utc_ns'
     JOIN meta after ON after.rank = p.rank AND after.key = 'job.received_ns'
     JOIN meta mpi ON mpi.rank = p.rank AND mpi.key = 'mpi'
WHERE NOT EXISTS (SELECT 1 FROM process WHERE outcome = 'running')
      AND EXISTS (SELECT 1 FROM process WHERE outcome <> 'finalized')
      AND (killed OR as_after IN ('SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGXCPU')
           OR program IN ('timeout', 'gtimeout') AND exit_code IN (124, 137)
           OR of_ranks AND exit_code = CASE WHEN mpi.value LIKE '%MPICH%' THEN 255 -- MPIEXEC_TIMEOUT
                                            WHEN mpi.value LIKE '%Open MPI%' THEN 110 END) -- --timeout
