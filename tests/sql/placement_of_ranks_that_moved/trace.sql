-- Two nodes of two cores. The two threads of rank 1 moved seven times in all, rank 2 once; rank 0 made most of its calls on the processor that it left,
-- and moved for the first time while MPI began.
INSERT INTO process (rank, world_size, node, pid, clock_offset_ns, outcome, threads, calls, mpi_ns, lost, damaged)
VALUES (0, 3, 'left', 40, 0, 'finalized', 1, 11, 1000, 0, 0), (1, 3, 'left', 41, 0, 'finalized', 2, 20, 1000, 0, 0), (2, 3, 'right', 42, 0, 'finalized', 1, 10, 1000, 0, 0);
INSERT INTO placement (rank, at_ns, thread, reason, processor_name, cpu, allowed_cpus)
SELECT rank, 0, 0, 'start', node, 0, '0-1' FROM process UNION ALL SELECT rank, 1000, 0, 'end', node, 1, '0-1' FROM process;
INSERT INTO placement (rank, at_ns, thread, reason, cpu, move) VALUES (0, -10, 0, 'moved', 1, 1);
INSERT INTO thread_processor VALUES (0, 0, 0, 10, 0, 0, 900), (0, 0, 1, 1, 1, 950, 1000), (1, 0, 0, 5, 2, 0, 500), (1, 0, 1, 5, 2, 200, 1000),
                                    (1, 1, 0, 2, 1, 0, 500), (1, 1, 1, 8, 2, 200, 1000), (2, 0, 0, 3, 0, 0, 500), (2, 0, 1, 7, 1, 500, 1000);
INSERT INTO processor SELECT DISTINCT rank, cpu, cpu, 0, NULL, cpu, '0-1' FROM thread_processor;
INSERT INTO meta SELECT rank, 'cpus_online', '0-1' FROM process;
