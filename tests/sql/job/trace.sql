-- Two ranks of a launcher that was sent SIGTERM; one did not get to MPI_Finalize.
INSERT INTO process (rank, world_size, node, pid, program, clock_offset_ns, began_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged) VALUES
    (0, 2, 'node', 11, '/opt/app/solver', 0, 0, 280000000, 'finalized', 1, 1, 1, 0, 0),
    (1, 2, 'node', 12, '/opt/app/solver', 0, 0, 280000000, 'died', 1, 1, 1, 0, 0);
INSERT INTO meta VALUES (0, 'job.command', '/usr/bin/mpirun.openmpi -n 2 ./solver'), (0, 'job.ran_ns', '9100000000'), (0, 'job.pid', '10'),
    (0, 'job.exit_code', '143'), (0, 'job.as_after', 'SIGTERM'), (0, 'job.received', 'SIGTERM'), (0, 'job.received_ns', '9000000000'),
    (0, 'mpi', 'Open MPI');
