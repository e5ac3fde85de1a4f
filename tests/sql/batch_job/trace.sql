-- A task of a Slurm job array, in which a Flux instance would have its own job; the other rank's values do not count.
INSERT INTO process (rank, world_size, node, pid, program, clock_offset_ns, began_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged) VALUES
    (0, 2, 'node', 11, '/opt/app/solver', 0, 0, 280000000, 'finalized', 1, 1, 1, 0, 0),
    (1, 2, 'node', 12, '/opt/app/solver', 0, 0, 280000000, 'finalized', 1, 1, 1, 0, 0);
INSERT INTO meta VALUES (0, 'environment.SLURM_JOB_ID', '4712'), (0, 'environment.SLURM_ARRAY_JOB_ID', '4711'),
    (0, 'environment.SLURM_ARRAY_TASK_ID', '3'), (0, 'environment.SLURM_JOB_NAME', 'weather'), (0, 'environment.SLURM_JOB_PARTITION', 'long'),
    (0, 'environment.SLURM_JOB_NODELIST', 'node[1-4]'), (0, 'environment.LSB_JOBID', '9'), (0, 'job.command', 'srun ./solver'),
    (1, 'environment.FLUX_JOB_ID', 'f23');
