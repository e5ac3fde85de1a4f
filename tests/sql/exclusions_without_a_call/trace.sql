-- The last two of three ranks made "pair" with MPI_Comm_create_group, after rank 3 had freed what it was made of; the MPI itself made another.
INSERT INTO function (function, name, class) VALUES (10016, 'MPI_Comm_create_group', 'communicator');
INSERT INTO object (rank, object, kind, name, uid, family, parent, function, created_ns, freed_ns, internal, predefined, adopted) VALUES
    (0, 1, 'communicator', 'MPI_COMM_WORLD', 700, NULL, NULL, NULL, 0, NULL, 0, 1, 0),
    (1, 1, 'communicator', 'MPI_COMM_WORLD', 700, NULL, NULL, NULL, 0, NULL, 0, 1, 0),
    (2, 1, 'communicator', 'MPI_COMM_WORLD', 700, NULL, NULL, NULL, 0, NULL, 0, 1, 0),
    (3, 1, 'communicator', 'MPI_COMM_WORLD', 700, NULL, NULL, NULL, 0, 50, 0, 1, 0),
    (1, 2, 'communicator', 'pair', 800, 800, 1, 10016, 100, NULL, 0, 0, 0), (2, 2, 'communicator', 'pair', 800, 800, 1, 10016, 110, NULL, 0, 0, 0),
    (1, 3, 'communicator', 'own', 801, 801, 1, 10016, 120, NULL, 1, 0, 0);
