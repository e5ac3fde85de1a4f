-- A container: three processors of sixteen, and nothing is known of cores, packages and NUMA nodes; of the last rank not even the processor.
INSERT INTO process (rank, world_size, node, pid, clock_offset_ns, outcome, threads, calls, mpi_ns, lost, damaged)
VALUES (0, 3, 'box', 40, 0, 'finalized', 1, 10, 1000, 0, 0), (1, 3, 'box', 41, 0, 'finalized', 1, 10, 1000, 0, 0), (2, 3, 'box', 42, 0, 'died', 1, 10, 1000, 0, 0);
INSERT INTO placement (rank, at_ns, thread, reason, processor_name, cpu, allowed_cpus)
VALUES (0, 0, 0, 'start', 'box', 4, '4-6'), (1, 0, 0, 'start', 'box', 5, '4-6'), (2, 0, 0, 'start', 'box', NULL, NULL);
INSERT INTO processor (rank, cpu) VALUES (0, 4), (1, 5);
INSERT INTO thread_processor VALUES (0, 0, 4, 10, 0, 0, 1000), (1, 0, 5, 10, 0, 0, 1000);
INSERT INTO meta SELECT rank, 'cpus_online', '0-15' FROM process;
INSERT INTO meta SELECT rank, 'note.placement', 'the kernel does not say here which processors share a core or a package' FROM process WHERE rank < 2;
