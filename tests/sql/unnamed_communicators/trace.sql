-- Communicators without names, made at one call site in a loop: three on rank 0, one on rank 1, where it has another number.
INSERT INTO function (function, name, class) VALUES (7, 'MPI_Comm_dup', 'communicator'), (10, 'MPI_Barrier', 'collective');
INSERT INTO module VALUES (3, '/opt/app/a.out', 'aa');
INSERT INTO frame (frame, module, offset) VALUES (101, 3, 16);
INSERT INTO site VALUES (201, NULL, 101);
INSERT INTO object (rank, object, kind, name, name_origin, parent, function, site, internal, predefined, adopted) VALUES
    (0, 1, 'communicator', 'MPI_COMM_WORLD', 'mpi', NULL, NULL, NULL, 0, 1, 0), (0, 5, 'communicator', NULL, NULL, 1, 7, 201, 0, 0, 0),
    (0, 6, 'communicator', NULL, NULL, 1, 7, 201, 0, 0, 0), (0, 7, 'communicator', NULL, NULL, 1, 7, 201, 0, 0, 0),
    (1, 1, 'communicator', 'MPI_COMM_WORLD', 'mpi', NULL, NULL, NULL, 0, 1, 0), (1, 8, 'communicator', NULL, NULL, 1, 7, 201, 0, 0, 0);
INSERT INTO communicator (rank, object, size) VALUES (0, 1, 2), (0, 5, 2), (0, 6, 2), (0, 7, 2), (1, 1, 2), (1, 8, 2);
INSERT INTO profile VALUES
    (0, 5, 0, 10, 201, 0, 1, 1000000000, 1, 1, 0, 0), (0, 6, 0, 10, 201, 0, 1, 1000000000, 1, 1, 0, 0), (0, 7, 0, 10, 201, 0, 1, 1000000000, 1, 1, 0, 0),
    (1, 8, 0, 10, 201, 0, 1, 500000000, 1, 1, 0, 0);
