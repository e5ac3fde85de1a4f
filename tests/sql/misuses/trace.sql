-- Six ranks. Ranks 0, 1 and 3 name a rank that is not there; rank 2 reuses the buffer of a pending operation. Rank 1 leaves two operations pending, rank 3
-- an inactive persistent request; rank 2, which died, one operation. So do rank 4,
-- which lost a fact, and rank 5, which asked for the status of requests.
INSERT INTO function (function, name, class, mode) VALUES (1, 'MPI_Send', 'point-to-point', 'blocking'), (2, 'MPI_Irecv', 'point-to-point', 'nonblocking'),
    (3, 'MPI_Recv_init', 'point-to-point', 'persistent'), (4, 'MPI_Request_get_status', 'request', NULL);
INSERT INTO process (rank, world_size, clock_offset_ns, threads, calls, mpi_ns, lost, damaged, outcome)
    SELECT value, 6, 0, 1, 1, 0, value = 4, 0, CASE value WHEN 2 THEN 'died' ELSE 'finalized' END FROM json_each('[0,1,2,3,4,5]');
INSERT INTO profile VALUES (5, 0, 0, 4, 203, 0, 1, 1, 1, 1, 0, 0);
INSERT INTO object (rank, object, kind, name, uid, internal, predefined, adopted) SELECT rank, 1 + (rank >= 3), 'communicator', 'rows', 701, 0, 0, 0 FROM process;
INSERT INTO object (rank, object, kind, parent, function, site, internal, predefined, adopted) VALUES
    (1, 11, 'request', 1, 2, 203, 0, 0, 0), (1, 12, 'request', 1, 2, 203, 0, 0, 0), (2, 11, 'request', 1, 2, 203, 0, 0, 0), (3, 11, 'request', 2, 3, 203, 0, 0, 0),
    (4, 11, 'request', 2, 2, 203, 0, 0, 0), (5, 11, 'request', 2, 2, 203, 0, 0, 0);
INSERT INTO site VALUES (201, NULL, 201), (202, NULL, 202), (203, NULL, 203);
INSERT INTO misuse (rank, at_ns, kind, object, function, value, site, other_site) VALUES
    (0, 5, 'invalid_rank', 1, 1, 7, 201, 0), (1, 5, 'invalid_rank', 1, 1, 8, 201, 0), (3, 5, 'invalid_rank', 2, 1, 10, 201, 0),
    (2, 6, 'overwritten_buffer', 1, 2, 16, 202, 203);
-- Rank 1 reaches 8 bytes beyond the window of rank 0, by the displacement unit of that; not beyond that of rank 2, which is larger.
INSERT INTO function (function, name, class) VALUES (5, 'MPI_Put', 'one-sided');
INSERT INTO object (rank, object, kind, name, uid, internal, predefined, adopted)
    SELECT rank, 20, 'communicator', 'all', 702, 0, 0, 0 FROM process UNION ALL SELECT rank, 21, 'window', 'halo', 703, 0, 0, 0 FROM process;
INSERT INTO communicator (rank, object, size, own_rank) SELECT rank, 20, 6, rank FROM process;
INSERT INTO window (rank, object, communicator, flavor, size_bytes, displacement_unit_bytes)
    SELECT rank, 21, 20, CASE rank WHEN 3 THEN 'dynamic' ELSE 'create' END, CASE rank WHEN 2 THEN 512 ELSE 256 END, CASE rank WHEN 0 THEN 8 ELSE 4 END FROM process;
INSERT INTO window_reach VALUES (1, 21, 0, 31, 16, 5, 202), (1, 21, 2, 120, 32, 5, 202), (1, 21, 3, 4000, 16, 5, 202), (2, 21, 1, -2, 4, 5, 203);
-- Rank 1 closes the file, rank 3 does not; nor does rank 2, which died.
INSERT INTO function (function, name, class) VALUES (6, 'MPI_File_open', 'io');
INSERT INTO object (rank, object, kind, name, uid, function, site, freed_ns, internal, predefined, adopted)
    SELECT rank, 30, 'file', 'out.h5', 704, 6, 201, CASE rank WHEN 1 THEN 9 END, 0, 0, 0 FROM process WHERE rank IN (1, 2, 3);
-- Rank 4 frees a communicator and uses it; it called MPI past callsign, so that another communicator may have the handle. A null one is wrong all the same.
INSERT INTO meta (rank, key, value) VALUES (4, 'not_recorded', '/opt/liba.so');
INSERT INTO misuse (rank, at_ns, kind, object, function, value, site, other_site) VALUES
    (4, 7, 'freed_handle', NULL, 1, 0, 201, 203), (4, 8, 'null_communicator', NULL, 1, 0, 202, 0), (0, 9, 'freed_handle', NULL, 1, 0, 203, 201);
UPDATE misuse SET made_site = 202 WHERE kind = 'freed_handle';
-- Data of ranks 0 and 1 ends beyond a variable, that of rank 3 does not; of rank 2 no variable is known. Rank 4's was found before the call.
INSERT INTO variable (rank, at_ns, object, function, bytes, site, module, offset, frame_offset, variable, beyond_bytes) VALUES
    (0, 5, 1, 1, 48, 202, 9, 400, NULL, 'sums', 8), (1, 5, 1, 1, 44, 202, 9, 400, NULL, 'sums', 4), (3, 5, 2, 1, 40, 202, 9, 400, NULL, 'sums', 0),
    (2, 5, 1, 1, 40, 202, 9, 500, -80, NULL, NULL), (4, 5, 2, 1, 40, 201, 9, 500, -80, 'sum', 36);
INSERT INTO misuse (rank, at_ns, kind, object, function, value, site, other_site) VALUES (4, 9, 'beyond_frame', 2, 1, 0, 201, 0);
