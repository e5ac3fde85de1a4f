-- One of each kind that is left; one of each kind that is no leak: predefined, adopted, internal, freed, not to be freed.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Comm_group', 'group'), (2, 'MPI_Group_free', 'group'), (3, 'MPI_Irecv', 'point-to-point'),
    (4, 'MPIX_Grequest_class_create', 'request'), (5, 'MPI_Comm_create_keyval', 'attribute'), (6, 'MPI_Alloc_mem', 'environment');
INSERT INTO object (rank, object, kind, function, created_ns, internal, predefined, adopted, freed_function, freed_ns) VALUES
    (0, 1, 'group', 1, 10, 0, 0, 0, NULL, NULL),
    (0, 2, 'group', 1, 20, 0, 0, 0, 2, 30),
    (0, 3, 'group', 1, 30, 1, 0, 0, NULL, NULL),
    (0, 4, 'request', 3, 40, 0, 0, 0, NULL, NULL),
    (0, 5, 'grequest_class', 4, 50, 0, 0, 0, NULL, NULL),
    (0, 6, 'keyval', 5, 60, 0, 0, 0, NULL, NULL),
    (0, 7, 'memory', 6, 70, 0, 0, 0, NULL, NULL),
    (0, 8, 'datatype', NULL, 80, 0, 1, 0, NULL, NULL),
    (0, 9, 'communicator', NULL, 90, 0, 0, 1, NULL, NULL);
