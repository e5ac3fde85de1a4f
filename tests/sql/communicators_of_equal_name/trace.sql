-- Two ranks. Two different communicators are called "halo" and made at one call site; a third has no name, and one is not known on both ranks.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Comm_dup', 'communicator'), (2, 'MPI_Allreduce', 'collective'), (3, 'MPI_Init', 'lifecycle');
INSERT INTO object (rank, object, kind, name, name_origin, uid, function, site, internal, predefined, adopted) VALUES
    (0, 1, 'communicator', 'halo', 'program', 11, 1, 9, 0, 0, 0), (0, 2, 'communicator', 'halo', 'program', 12, 1, 9, 0, 0, 0),
    (0, 3, 'communicator', NULL, NULL, 13, 1, 9, 0, 0, 0), (0, 4, 'file', 'halo', 'program', 14, NULL, 9, 0, 0, 0),
    (1, 1, 'communicator', 'halo', 'program', 11, 1, 9, 0, 0, 0), (1, 2, 'communicator', 'halo', 'program', 12, 1, 9, 0, 0, 0),
    (1, 3, 'communicator', NULL, NULL, NULL, 1, 9, 0, 0, 0);
INSERT INTO communicator (rank, object, size, own_rank) SELECT rank, object, 2, rank FROM object WHERE kind = 'communicator';
INSERT INTO profile VALUES
    (0, 0, 0, 3, 0, 0, 1, 8000000000, 1, 1, 0, 0), (0, 1, 0, 2, 0, 4, 5, 1000000000, 1, 1, 40, 40), (1, 1, 0, 2, 0, 4, 5, 500000000, 1, 1, 40, 40),
    (0, 2, 0, 2, 0, 4, 1, 250000000, 1, 1, 8, 8), (1, 2, 0, 2, 0, 4, 1, 250000000, 1, 1, 8, 8), (0, 3, 0, 2, 0, 4, 1, 1, 1, 1, 8, 8),
    (1, 3, 0, 2, 0, 4, 1, 2, 1, 1, 8, 8), (0, 4, 0, 2, 0, 4, 1, 0, 0, 0, 8, 8);
