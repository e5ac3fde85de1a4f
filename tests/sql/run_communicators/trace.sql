-- Three ranks. "rows" has members 0 and 1 (rank 1 alone named it, and never freed it), an intercommunicator goes from there to rank 2.
-- 601 is "rows" again, 602 has its members in the other order, of 603 and 604 not all members are known. What rank 2 made of MPI_COMM_SELF has no uid, nor has a communicator of a process without rank.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Comm_split', 'communicator'), (2, 'MPI_Comm_free', 'communicator'), (3, 'MPI_Comm_dup', 'communicator'),
    (4, 'MPI_Intercomm_create', 'communicator');
INSERT INTO module VALUES (8, 'solver', 'aa');
INSERT INTO frame (frame, module, offset, function, file, line) VALUES (10, 8, 10, NULL, NULL, NULL);
INSERT INTO site VALUES (110, NULL, 10);
INSERT INTO process (rank, clock_offset_ns, began_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged) VALUES
    (0, 0, 0, 1000, 'finalized', 1, 1, 1, 0, 0), (1, 0, 0, 1000, 'finalized', 1, 1, 1, 0, 0), (2, 0, 0, 1000, 'finalized', 1, 1, 1, 0, 0),
    (-77, 0, 0, 1000, 'finalized', 1, 1, 1, 0, 0);
INSERT INTO object (rank, object, kind, name, name_origin, uid, parent, function, site, created_ns, internal, predefined, adopted, freed_ns) VALUES
    (0, 1, 'communicator', 'MPI_COMM_WORLD', 'mpi', 500, NULL, NULL, NULL, 0, 0, 1, 0, NULL),
    (1, 1, 'communicator', 'MPI_COMM_WORLD', 'mpi', 500, NULL, NULL, NULL, 1, 0, 1, 0, NULL),
    (2, 1, 'communicator', 'MPI_COMM_WORLD', 'mpi', 500, NULL, NULL, NULL, 2, 0, 1, 0, NULL),
    (2, 2, 'communicator', 'MPI_COMM_SELF', 'mpi', -9, NULL, NULL, NULL, 2, 0, 1, 0, NULL),
    (0, 2, 'communicator', NULL, NULL, -501, 1, 1, 110, 10, 0, 0, 0, 90),
    (1, 5, 'communicator', 'rows', 'program', -501, 1, 1, 110, 11, 0, 0, 0, NULL),
    (2, 3, 'communicator', NULL, NULL, NULL, 2, 3, NULL, 12, 0, 0, 0, 20),
    (0, 3, 'communicator', 'across', 'rule', 502, 2, 4, 110, 30, 0, 0, 0, 40),
    (1, 6, 'communicator', 'across', 'rule', 502, 5, 4, 110, 31, 0, 0, 0, 42),
    (2, 4, 'communicator', 'across', 'rule', 502, 2, 4, 110, 33, 0, 0, 0, 41),
    (2, 5, 'window', NULL, NULL, 503, 1, 4, 110, 33, 0, 0, 0, 41),
    (-77, 1, 'communicator', NULL, NULL, NULL, NULL, NULL, NULL, 5, 0, 0, 1, NULL);
INSERT INTO communicator (rank, object, size, own_rank, remote_size, members, topology) VALUES
    (0, 1, 3, 0, NULL, '0-2', 'none'), (1, 1, 3, 1, NULL, NULL, 'none'), (2, 1, 3, 2, NULL, NULL, 'none'), (2, 2, 1, 0, NULL, '2', 'none'),
    (0, 2, 2, 1, NULL, NULL, 'cart'), (1, 5, 2, 0, NULL, '1,0', 'cart'), (2, 3, 1, 0, NULL, '2', 'none'),
    (0, 3, 2, 1, 1, NULL, 'none'), (1, 6, 2, 0, 1, '1,0', 'none'), (2, 4, 1, 0, 2, '2', 'none');
INSERT INTO object (rank, object, kind, uid, parent, function, site, created_ns, internal, predefined, adopted)
SELECT r.value, u.value, 'communicator', u.value, 1, 1, 110, u.value, 0, 0, 0 FROM json_each('[0, 1]') r, json_each('[601, 602, 603, 604]') u;
INSERT INTO communicator (rank, object, size, own_rank, members, topology) VALUES
    (0, 601, 2, 1, NULL, 'none'), (1, 601, 2, 0, '1,0', 'none'), (0, 602, 2, 0, '0,1', 'none'), (1, 602, 2, 1, NULL, 'none'),
    (0, 603, 2, 0, '0,...', 'none'), (1, 603, 2, 1, NULL, 'none'), (0, 604, 2, 0, '0,...', 'none'), (1, 604, 2, 1, NULL, 'none');
