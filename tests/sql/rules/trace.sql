-- Two ranks with the same rules and one with a file of its own: a rule that named, one that named nothing, names that occur twice.
INSERT INTO rule VALUES
    (0, 2, 'parent=x -> never'), (0, 4, 'function=MPI_Comm_split -> "row {color}"'),
    (1, 2, 'parent=x -> never'), (1, 4, 'function=MPI_Comm_split -> "row {color}"'), (2, 4, '-> other');
INSERT INTO object (rank, object, kind, name, name_origin, internal, predefined, adopted) VALUES
    (0, 3, 'communicator', 'row 0', 'rule', 0, 0, 0), (1, 3, 'communicator', 'row 1', 'rule', 0, 0, 0);
INSERT INTO naming (rank, object, at_ns, name, origin, rule, site) VALUES
    (0, 1, 0, 'MPI_COMM_WORLD', 'mpi', NULL, NULL), (0, 3, 10, 'row 0', 'rule', 4, NULL), (0, 4, 20, 'row 3', 'rule', 4, NULL),
    (0, 5, 30, 'row 2', 'rule', 4, NULL), (0, 6, 40, 'row 9', 'rule', 4, NULL), (1, 3, 10, 'row 1', 'rule', 4, NULL),
    (1, 4, 20, 'row 0', 'rule', 4, NULL), (2, 3, 10, 'other', 'rule', 4, NULL);
