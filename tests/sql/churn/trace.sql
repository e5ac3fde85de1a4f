-- Two ranks, 10 s each. A library makes communicators at one call site for two callers, which free them at different ones; the
-- profile knows the innermost frames only. Datatypes are made at an unknown call site. The window is never freed.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Comm_dup', 'communicator'), (2, 'MPI_Comm_free', 'communicator'), (3, 'MPI_Win_create', 'one-sided'),
    (4, 'MPI_Type_vector', 'datatype'), (5, 'MPI_Type_free', 'datatype');
INSERT INTO module VALUES (9, 'libgrid.so', 'aa'), (10, 'solver', 'bb');
INSERT INTO frame (frame, module, offset, function, file, line) VALUES (10, 9, 10, 'begin', 'grid.c', 10), (11, 9, 11, 'end', 'grid.c', 11),
    (12, 9, 12, 'fail', 'grid.c', 12), (20, 10, 20, 'main', 'main.c', 20), (21, 10, 21, 'main', 'main.c', 21);
INSERT INTO site VALUES (110, NULL, 10), (111, NULL, 11), (112, NULL, 12), (120, NULL, 20), (121, NULL, 21), (210, 120, 10), (211, 121, 10);
INSERT INTO process (rank, clock_offset_ns, began_ns, init_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged) VALUES
    (0, 0, 0, 0, 10000000000, 'finalized', 1, 1, 1, 0, 0), (1, 0, 0, 0, 10000000000, 'finalized', 1, 1, 1, 0, 0);
WITH RECURSIVE n (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 30)
INSERT INTO object (rank, object, kind, function, site, created_ns, internal, predefined, adopted, freed_function, freed_site, freed_ns)
SELECT rank, n, 'communicator', 1, CASE WHEN n % 3 THEN 210 ELSE 211 END, n * 1000, 0, 0, 0, 2, CASE WHEN n % 3 THEN 111 ELSE 112 END,
       n * 1000 + 500 FROM n, (SELECT 0 AS rank UNION SELECT 1)
UNION ALL SELECT 0, 40, 'communicator', 1, 211, 5, 0, 0, 0, NULL, NULL, NULL
UNION ALL SELECT 0, 41, 'window', 3, 120, 5, 0, 0, 0, NULL, NULL, NULL
UNION ALL SELECT 0, 42, 'datatype', 4, NULL, 5, 0, 0, 0, 5, NULL, 15
UNION ALL SELECT 0, 43, 'communicator', 1, 211, 5, 1, 0, 0, 2, 111, 9;
INSERT INTO profile VALUES (0, 1, 0, 1, 110, 0, 31, 31000, 1, 1, 0, 0), (1, 1, 0, 1, 110, 0, 30, 30000, 1, 1, 0, 0),
    (0, 2, 0, 2, 111, 0, 20, 40000, 1, 1, 0, 0), (1, 2, 0, 2, 111, 0, 20, 40000, 1, 1, 0, 0), (0, 3, 0, 2, 112, 0, 20, 100000, 1, 1, 0, 0),
    (0, 0, 0, 5, 0, 0, 1, 70, 70, 70, 0, 0);
