-- A rank that died while it computed, with two threads; and one that ran on until the launcher took it away, waiting for the first.
INSERT INTO function (function, name, class) VALUES (4, 'MPI_Send', 'point-to-point'), (5, 'MPI_Recv', 'point-to-point'), (10, 'MPI_Allreduce', 'collective');
INSERT INTO module VALUES (1, '/opt/app/solver', 'aa');
INSERT INTO frame (frame, module, offset, function, file, line) VALUES (101, 1, 4096, 'step', 'main.c', 7);
INSERT INTO site VALUES (201, NULL, 101);
INSERT INTO process (rank, clock_offset_ns, began_ns, last_seen_ns, outcome, last_function, last_object, last_peer, last_tag, last_since_ns, threads,
                     calls, mpi_ns, lost, damaged) VALUES
    (0, 0, 0, 4000000000, 'died', NULL, NULL, NULL, NULL, NULL, 2, 9, 4000000000, 0, 0),
    (1, 0, 0, 3500000000, 'died', 5, 1, -1, -1, 3500000000, 1, 3, 100, 0, 0);
INSERT INTO object (rank, object, kind, name, internal, predefined, adopted) VALUES
    (0, 1, 'communicator', 'rows', 0, 0, 0), (0, 2, 'window', NULL, 0, 0, 0), (1, 1, 'communicator', 'rows', 0, 0, 0);
INSERT INTO thread (rank, thread, tid, threads, state, function, object, peer, tag, bytes, site, since_ns, until_ns, calls, mpi_ns) VALUES
    (0, 0, 1, 1, 'outside', 10, 1, NULL, NULL, NULL, 201, 3900000000, 4000000000, 5, 3900000000),
    (0, 1, 2, 1, 'ended', 4, 1, 1, 0, 8, 201, 100, 1000000000, 4, 100000000),
    (1, 0, 3, 1, 'inside', 5, 1, -1, -1, NULL, 201, 3500000000, 3400000000, 3, 100);
