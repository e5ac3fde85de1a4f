-- Two ranks whose steps take 20 to 80 ms by chance: after four steps, rank 1 needed 77 ms more than rank 0.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Init', 'lifecycle'), (2, 'MPI_Finalize', 'lifecycle'), (3, 'MPI_Allreduce', 'collective'), (4, 'MPI_Waitall', 'completion');
INSERT INTO process (rank, world_size, node, outcome, clock_offset_ns, began_ns, last_seen_ns, threads, calls, mpi_ns, lost, damaged, run_hash)
SELECT column1, 2, 'node7', 'finalized', 0, 0, 400000000, 1, 8, 100000000, 0, 0, 1 FROM (VALUES (0), (1));
INSERT INTO object (rank, object, kind, name, name_origin, uid, internal, predefined, adopted) SELECT rank, 1, 'communicator', 'ring', 'program', 101, 0, 0, 0 FROM process;
INSERT INTO communicator (rank, object, size, own_rank, members, topology) SELECT rank, 1, 2, rank, '0-1', 'none' FROM process;
INSERT INTO module (module, path) VALUES (1, '/opt/heat');
INSERT INTO frame (frame, module, offset, function, file, line) VALUES (2, 1, 32, 'exchange', 'heat.c', 40), (3, 1, 48, 'norm', 'heat.c', 47);
INSERT INTO site (site, frame) SELECT frame, frame FROM frame;
INSERT INTO profile SELECT rank, 1, 0, 3, 3, 4, 4, CASE rank WHEN 1 THEN 13000000 ELSE 90000000 END, 1000, 60000000, 0, 0 FROM process;
INSERT INTO stretch (rank, thread, communicator, object, region, from_function, from_site, function, site, stretches, time_ns, min_ns, max_ns, call_ns, seen_ns, exact_ns,
                     core_ns, system_ns, delay_ns, sleeps, switches, minor_faults, major_faults, read_bytes, written_bytes, disk_bytes, others_ns, throttled_ns,
                     steal_ns, call_seen_ns, call_core_ns, call_delay_ns, call_delay_most_ns)
SELECT rank, 0, 1, 0, 0, 4, 2, 3, 3, 4, 170000000 + rank * 77000000, 20000000, 65000000 + rank * 15000000, 90000000 - rank * 77000000, 170000000 + rank * 77000000, 170000000,
       170000000 + rank * 77000000, 1000000, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, 90000000 - rank * 77000000, 0, 0, 0 FROM process;
