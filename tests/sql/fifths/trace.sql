-- step (12) with solve (13) inside on two ranks; output (14) on one; mixed (15): another thread ended it on rank 1.
INSERT INTO process (rank, clock_offset_ns, began_ns, init_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged) VALUES
    (0, 0, 0, 0, 1000, 'finalized', 1, 1, 1, 0, 0), (1, 0, 0, 0, 1000, 'finalized', 1, 1, 1, 0, 0);
INSERT INTO object (rank, object, kind, name, internal, predefined, adopted) VALUES (0, 1, 'communicator', 'MPI_COMM_WORLD', 0, 1, 0), (1, 1, 'communicator', 'MPI_COMM_WORLD', 0, 1, 0),
    (0, 3, 'communicator', 'rows', 0, 0, 0), (1, 3, 'communicator', 'rows', 0, 0, 0), (0, 4, 'window', 'field', 0, 0, 0);
INSERT INTO region VALUES
    (0, 12, 0, 'step', 'step', 10, 1000, 300, 50, 200, 5, 990, 2, 100, 20, 2, 400, 120),
    (1, 12, 0, 'step', 'step', 10, 1000, 100, 50, 200, 5, 990, 2, 100, 10, 2, 300, 20),
    (0, 13, 12, 'solve', 'step/solve', 10, 400, 200, 20, 80, 6, 980, 0, 0, 0, 0, 0, 0),
    (1, 13, 12, 'solve', 'step/solve', 10, 400, 200, 20, 80, 6, 980, 0, 0, 0, 0, 0, 0),
    (0, 14, 0, 'output', 'output', 1, 9, 3, 9, 9, 991, 1000, NULL, NULL, NULL, NULL, NULL, NULL),
    (0, 15, 0, 'mixed', 'mixed', 4, 40, 10, 10, 10, 100, 200, 1, 10, 2, 1, 10, 3),
    (1, 15, 0, 'mixed', 'mixed', 4, 40, NULL, 10, 10, 100, 200, 1, 12, NULL, 1, 10, NULL);
INSERT INTO region_profile VALUES
    (0, 12, 1, 0, 1, 9, 0, 10, 90, 5, 20, 0, 0), (1, 12, 1, 0, 1, 9, 0, 10, 10, 1, 1, 0, 0),
    (0, 13, 3, 0, 1, 9, 4, 10, 60, 5, 20, 80, 80), (0, 13, 3, 0, 1, 10, 4, 10, 15, 1, 2, 80, 80), (1, 13, 3, 0, 1, 9, 4, 10, 25, 1, 5, 8, 8),
    (0, 13, 3, 4, 1, 11, 4, 5, 100, 20, 20, 500, 0), (0, 14, 0, 0, 1, 12, 0, 1, 3, 3, 3, 0, 0);
-- rank 1 waits more and more; threads: rank 0 has two. A process without rank does not count.
INSERT INTO fifth VALUES
    (0, 1, 0, 200, 40, 2), (0, 2, 200, 400, 40, 2), (0, 3, 400, 600, 40, 2), (0, 4, 600, 800, 40, 2), (0, 5, 800, 990, 38, 2),
    (1, 1, 5, 205, 20, 1), (1, 2, 205, 405, 60, 1), (1, 3, 405, 605, 100, 1), (1, 4, 605, 805, 140, 1), (1, 5, 805, 1000, 190, 1),
    (-77, 1, 0, 200, 200, 1);
