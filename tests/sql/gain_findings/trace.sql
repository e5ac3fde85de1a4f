-- Three ranks compute 100, 400 and 100 before a reduction, and 100 each before another one: 500 in all. With 200 in all as the median rank, rank 1 comes after 160.
INSERT INTO function (function, name) VALUES (1, 'MPI_Init'), (2, 'MPI_Finalize'), (3, 'MPI_Allreduce');
INSERT INTO process (rank, world_size, node, pid, program, clock_offset_ns, began_ns, init_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged)
    SELECT value, 3, 'a', value, 'p', 0, 0, 0, 620000, 'finalized', 1, 4, 4, 0, 0 FROM json_each('[0,1,2]');
INSERT INTO object (rank, object, kind, name, name_origin, uid, created_ns, internal, predefined, adopted)
    SELECT value, 1, 'communicator', 'team', 'program', 700, 0, 0, 0, 0 FROM json_each('[0,1,2]');
INSERT INTO communicator (rank, object, size, own_rank) SELECT value, 1, 3, value FROM json_each('[0,1,2]');
INSERT INTO event (rank, thread, event, function, start_ns, duration_ns, calls)
    SELECT value, 0, 1, 1, 0, 100000, 1 FROM json_each('[0,1,2]') UNION ALL SELECT value, 0, 4, 2, 600000, 10000, 1 FROM json_each('[0,1,2]');
INSERT INTO event (rank, thread, event, function, object, site, start_ns, duration_ns, calls, collective)
    SELECT value, 0, 2, 3, 1, 10, iif(value = 1, 500000, 200000), iif(value = 1, 0, 300000), 1, 1 FROM json_each('[0,1,2]');
INSERT INTO event (rank, thread, event, function, object, site, start_ns, duration_ns, calls, collective)
    SELECT value, 0, 3, 3, 1, 11, 600000, 0, 1, 2 FROM json_each('[0,1,2]');
