-- A launcher whose job ended 9 s after the ranks began. Rank 0 finalized. The dead ranks were found dead before and after that; of rank 3 it is
-- not known when. Rank 4 left without MPI_Finalize, and rank 5 still ran when its journal was read.
INSERT INTO process (rank, world_size, node, pid, program, clock_offset_ns, zero_utc_ns, began_ns, last_seen_ns, found_dead_ns, outcome, threads, calls, mpi_ns, lost, damaged) VALUES
    (0, 6, 'node', 11, '/opt/app/solver', 0, 1000000000000, 0, 280000000, NULL, 'finalized', 1, 1, 1, 0, 0),
    (1, 6, 'node', 12, '/opt/app/solver', 0, 1000000000000, 0, 280000000, 5000000000, 'died', 1, 1, 1, 0, 0),
    (2, 6, 'node', 13, '/opt/app/solver', 0, 1000500000000, 0, 280000000, 99000000000, 'died', 1, 1, 1, 0, 0),
    (3, 6, 'node', 14, '/opt/app/solver', 0, NULL, 0, 280000000, NULL, 'died', 1, 1, 1, 0, 0),
    (4, 6, 'node', 15, '/opt/app/solver', 0, 1000000000000, 0, 9500000000, NULL, 'exited', 1, 1, 1, 0, 0),
    (5, 6, 'node', 16, '/opt/app/solver', 0, 1000000000000, 0, 300000000, NULL, 'running', 1, 1, 1, 0, 0);
INSERT INTO meta VALUES (0, 'job.command', '/usr/bin/mpirun.openmpi -n 2 ./solver'), (0, 'job.ran_ns', '9100000000'), (0, 'job.ended_utc_ns', '1009000000000');
