-- Objects at two call sites, one of which occurs with two callers and once inside the MPI; those that have a name of the program or by a rule, and those that are not the program's, do not count.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Comm_split', 'communicator'), (3, 'MPI_Type_vector', 'datatype'), (5, 'MPI_File_open', 'io');
INSERT INTO module VALUES (1, '/opt/app/solver', 'aa'), (11, '/opt/app/libgrid.so.2', 'bb'), (12, '/opt/mpi/libmpi.so.40', 'cc');
INSERT INTO frame (frame, module, offset, function, file, line) VALUES
    (101, 1, 4096, NULL, NULL, NULL), (102, 11, 64, 'Cblacs_gridmap', NULL, NULL),
    (103, 12, 64, NULL, NULL, NULL);
INSERT INTO site VALUES (201, NULL, 101), (202, 201, 102), (203, 202, 103), (204, NULL, 102);
INSERT INTO object (rank, object, kind, name, name_origin, function, site, internal, predefined, adopted) VALUES
    (0, 1, 'communicator', 'MPI_COMM_WORLD', 'mpi', NULL, NULL, 0, 1, 0),
    (0, 2, 'communicator', 'MPI_COMM_WORLD.split1[0]', 'derived', 1, 202, 0, 0, 0),
    (1, 2, 'communicator', 'MPI_COMM_WORLD.split1[1]', 'derived', 1, 202, 0, 0, 0),
    (1, 3, 'communicator', NULL, NULL, 1, 204, 0, 0, 0),
    (0, 4, 'communicator', 'communicator 7', 'mpi', 1, 203, 0, 0, 0),
    (0, 5, 'communicator', 'rows', 'program', 1, 202, 0, 0, 0), (0, 6, 'communicator', 'grid', 'rule', 1, 202, 0, 0, 0),
    (0, 7, 'datatype', NULL, NULL, 3, 201, 0, 0, 0), (0, 8, 'datatype', NULL, NULL, 3, 201, 1, 0, 0),
    (0, 9, 'communicator', NULL, NULL, 1, 201, 0, 0, 1), (0, 10, 'file', NULL, NULL, 5, 201, 0, 0, 0);
