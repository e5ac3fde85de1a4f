-- Four ranks on two cores that ran 100 s and compute 10 s each. Rank 1 spends 4 s in MPI_Waitall, the others 60 s and more: it lost its core more often.
INSERT INTO function (function, name, class) VALUES (3, 'MPI_Waitall', 'completion');
INSERT INTO process (rank, world_size, outcome, clock_offset_ns, threads, calls, mpi_ns, lost, damaged, run_hash, began_ns, last_seen_ns)
SELECT column1, 4, 'finalized', 0, 1, 400, CASE column1 WHEN 1 THEN 4 ELSE 60 + column1 END * 1000000000, 0, 0, 1, 0, 100000000000
FROM (VALUES (0), (1), (2), (3));
INSERT INTO object (rank, object, kind, name, name_origin, uid, internal, predefined, adopted)
SELECT rank, 1, 'communicator', 'ring', 'program', 101, 0, 0, 0 FROM process;
INSERT INTO communicator (rank, object, size, own_rank, topology) SELECT rank, 1, 4, rank, 'none' FROM process;
INSERT INTO profile SELECT rank, 1, 0, 3, 1, 0, 400, mpi_ns, 1000, 9000000, 0, 0 FROM process;
UPDATE process SET node = 'node7';
INSERT INTO stretch (rank, thread, communicator, object, region, from_function, from_site, function, site, stretches, time_ns, min_ns, max_ns, call_ns, seen_ns, exact_ns,
                     core_ns, system_ns, delay_ns, sleeps, switches, minor_faults, major_faults, read_bytes, written_bytes, disk_bytes, others_ns, throttled_ns,
                     steal_ns, call_seen_ns, call_core_ns, call_delay_ns, call_delay_most_ns)
SELECT rank, 0, 1, 0, 0, 0, 0, 3, 0, 4, last_seen_ns - mpi_ns, 400000000, 500000000, mpi_ns, last_seen_ns - mpi_ns, last_seen_ns - mpi_ns, 10000000000, 1000000,
       last_seen_ns - mpi_ns - 10000000000, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, mpi_ns, mpi_ns, 0, 0 FROM process;
INSERT INTO process_usage (rank, user_ns, system_ns, peak_bytes) SELECT rank, 50000000000, 1000000, 1000000000 FROM process;
INSERT INTO placement (rank, at_ns, thread, reason, cpu, allowed_cpus) SELECT rank, 0, 0, 'start', rank % 2, '0-1' FROM process;
