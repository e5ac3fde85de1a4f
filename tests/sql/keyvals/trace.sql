-- A key of C that was freed under one object, one of Fortran, and one whose birth is lost and whose function lies in no module.
INSERT INTO function (function, name, class) VALUES (12, 'MPI_Comm_create_keyval', 'attribute'), (13, 'MPI_Type_create_keyval', 'attribute');
INSERT INTO module VALUES (1, '/opt/app/solver', 'aa');
INSERT INTO frame (frame, module, offset, function, file, line) VALUES
    (101, 1, 4096, NULL, NULL, NULL), (102, 1, 4128, 'make_keys', 'keys.c', 17),
    (103, 1, 4001, 'drop', 'keys.c', 9), (104, NULL, 140737488355327, NULL, NULL, NULL);
INSERT INTO site VALUES (201, NULL, 101), (202, NULL, 102), (203, NULL, 103), (204, NULL, 104);
INSERT INTO object (rank, object, kind, handle, function, site, created_ns, internal, predefined, adopted, freed_site, freed_ns) VALUES
    (0, 9, 'keyval', 11, 12, 202, 550, 0, 0, 0, 201, 1000), (0, 10, 'keyval', 16, 13, 202, 560, 0, 0, 0, NULL, NULL);
INSERT INTO created_keyval VALUES
    (0, 9, 'communicator', 11, 'C', 'MPI_COMM_NULL_COPY_FN', NULL, NULL, 203, 140000, 1),
    (0, 10, 'datatype', 16, 'mpi_f08', NULL, 201, 'MPI_TYPE_NULL_DELETE_FN', NULL, -4, NULL),
    (0, 99, 'window', 17, 'mpif.h', NULL, 204, NULL, NULL, 0, NULL);
