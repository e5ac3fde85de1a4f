-- Two ranks of "ring" wait for each other in turn, each by a line of its own: neither makes the other late.
INSERT INTO function (function, name, class, waits) VALUES (1, 'MPI_Recv', 'point-to-point', 'receive'), (2, 'MPI_Send', 'point-to-point', 'send');
INSERT INTO process (rank, world_size, node, clock_offset_ns, clock_error_ns, began_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged)
SELECT value, 2, 'a', 0, 0, 0, 2000000000, 'finalized', 1, 2, 1010000000, 0, 0 FROM json_each('[0,1]');
INSERT INTO object (rank, object, kind, name, name_origin, uid, created_ns, internal, predefined, adopted)
SELECT rank, 1, 'communicator', 'ring', 'program', 101, 0, 0, 0, 0 FROM process;
INSERT INTO communicator (rank, object, size, own_rank, members, topology) SELECT rank, 1, 2, rank, '0,1', 'none' FROM process;
INSERT INTO module (module, path) VALUES (1, '/opt/heat');
INSERT INTO frame (frame, module, offset, function, file, line) VALUES (11, 1, 16, 'main', 'heat.c', 11), (12, 1, 32, 'main', 'heat.c', 12),
    (21, 1, 48, 'main', 'heat.c', 21), (22, 1, 64, 'main', 'heat.c', 22);
INSERT INTO site (site, frame) SELECT frame, frame FROM frame;
INSERT INTO event (rank, thread, event, function, object, site, start_ns, duration_ns, calls, peer, tag, bytes, direction, nth) VALUES
    (0, 0, 1, 1, 1, 11, 0, 1000000000, 1, 1, 5, 8, 'receive', 1), (1, 0, 1, 2, 1, 22, 900000000, 10000000, 1, 0, 5, 8, 'send', 1),
    (1, 0, 2, 1, 1, 12, 950000000, 1000000000, 1, 0, 6, 8, 'receive', 1), (0, 0, 2, 2, 1, 21, 1900000000, 10000000, 1, 1, 6, 8, 'send', 1);
INSERT INTO profile
SELECT rank, object, 0, function, site, 4, 1, duration_ns, 8, duration_ns, 0, 0 FROM event;
INSERT INTO traffic (rank, object, direction, peer, source, dest, messages, bytes, time_ns)
SELECT rank, object, direction, peer, iif(direction = 'send', rank, peer), iif(direction = 'send', peer, rank), 1, bytes, duration_ns FROM event;
INSERT INTO stretch (rank, thread, communicator, object, region, from_function, from_site, function, site, stretches, time_ns, min_ns, max_ns, call_ns, seen_ns, exact_ns,
                     core_ns, system_ns, delay_ns, sleeps, switches, minor_faults, major_faults, read_bytes, written_bytes, disk_bytes, others_ns, throttled_ns,
                     steal_ns, call_seen_ns, call_core_ns, call_delay_ns, call_delay_most_ns)
SELECT rank, 0, 1, 0, 0, 0, 0, function, site, 1, 1000, 1000, 1000, duration_ns, 1000, 0, 1000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, duration_ns, duration_ns, 0, 0
FROM event;
