-- Communicators with derived names: three of one call site in a loop on rank 0, of which one was named by the program; the parts of a split
-- on ranks 0 and 1; and a duplicate of each part.
INSERT INTO function (function, name, class) VALUES (6, 'MPI_Comm_split', 'communicator'), (7, 'MPI_Comm_dup', 'communicator'), (10, 'MPI_Barrier', 'collective');
INSERT INTO module VALUES (3, '/opt/app/a.out', 'aa');
INSERT INTO frame (frame, module, offset) VALUES (101, 3, 16), (102, 3, 32),
    (103, 3, 48);
INSERT INTO site VALUES (201, NULL, 101), (202, NULL, 102), (203, NULL, 103);
INSERT INTO object (rank, object, kind, name, name_origin, parent, function, site, internal, predefined, adopted) VALUES
    (0, 1, 'communicator', 'MPI_COMM_WORLD', 'mpi', NULL, NULL, NULL, 0, 1, 0),
    (0, 5, 'communicator', 'MPI_COMM_WORLD.dup1', 'derived', 1, 7, 201, 0, 0, 0),
    (0, 6, 'communicator', 'MPI_COMM_WORLD.dup2', 'derived', 1, 7, 201, 0, 0, 0), (0, 7, 'communicator', 'mine', 'program', 1, 7, 201, 0, 0, 0),
    (0, 8, 'communicator', 'MPI_COMM_WORLD.split1[0]', 'derived', 1, 6, 202, 0, 0, 0),
    (0, 9, 'communicator', 'MPI_COMM_WORLD.split1[0].dup1', 'derived', 8, 7, 203, 0, 0, 0),
    (1, 1, 'communicator', 'MPI_COMM_WORLD', 'mpi', NULL, NULL, NULL, 0, 1, 0),
    (1, 8, 'communicator', 'MPI_COMM_WORLD.split1[1]', 'derived', 1, 6, 202, 0, 0, 0),
    (1, 9, 'communicator', 'MPI_COMM_WORLD.split1[1].dup1', 'derived', 8, 7, 203, 0, 0, 0);
INSERT INTO communicator (rank, object, size) VALUES (0, 1, 2), (0, 5, 2), (0, 6, 2), (0, 7, 2), (0, 8, 1), (0, 9, 1), (1, 1, 2), (1, 8, 1),
    (1, 9, 1);
INSERT INTO profile VALUES
    (0, 5, 0, 10, 201, 0, 1, 1000000000, 1, 1, 0, 0), (0, 6, 0, 10, 201, 0, 1, 1000000000, 1, 1, 0, 0), (0, 7, 0, 10, 201, 0, 1, 1500000000, 1, 1, 0, 0),
    (0, 9, 0, 10, 201, 0, 1, 100000000, 1, 1, 0, 0), (1, 9, 0, 10, 201, 0, 1, 200000000, 1, 1, 0, 0), (1, 8, 0, 10, 201, 0, 1, 250000000, 1, 1, 0, 0);
