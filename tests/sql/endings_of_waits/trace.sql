-- Ranks that died while they waited: 0 for one request, 1 for two, of which one is complete, 2 outside, after a wait for one.
INSERT INTO function (function, name, class) VALUES (5, 'MPI_Irecv', 'point-to-point'), (6, 'MPI_Wait', 'completion'), (7, 'MPI_Waitall', 'completion');
INSERT INTO module VALUES (1, '/opt/app/solver', 'aa');
INSERT INTO frame (frame, module, offset, function, file, line) VALUES (101, 1, 4096, 'step', 'main.c', 7), (102, 1, 4100, 'step', 'main.c', 9);
INSERT INTO site VALUES (201, NULL, 101), (202, NULL, 102);
INSERT INTO process (rank, pid, clock_offset_ns, began_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged)
    SELECT value, 100 + value, 0, 0, 4000000000, 'died', 1, 9, 4000, 0, 0 FROM json_each('[0,1,2]');
INSERT INTO object (rank, object, kind, name, internal, predefined, adopted) SELECT value, 1, 'communicator', 'rows', 0, 0, 0 FROM json_each('[0,1,2]');
INSERT INTO thread (rank, thread, tid, threads, state, function, object, peer, tag, bytes, site, since_ns, until_ns, calls, mpi_ns, awaited) VALUES
    (0, 0, 1, 1, 'inside', 6, 1, 1, 7, 800, 202, 3900000000, 3800000000, 5, 3900, 1),
    (1, 0, 1, 1, 'inside', 7, 1, 1, 7, 800, 202, 3900000000, 3800000000, 5, 3900, 2),
    (2, 0, 1, 1, 'outside', 6, 1, 1, 7, 800, 202, 3900000000, 3950000000, 5, 3900, NULL);
INSERT INTO active_request (rank, request, object, function, transfer, peer, tag, bytes, persistent, copies, site, thread)
    SELECT value, 1, 1, 5, 'receive', 1, 7, 800, 0, 1, 201, CASE WHEN value < 2 THEN 0 END FROM json_each('[0,1,2]');
