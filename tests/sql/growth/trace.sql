-- Two ranks, 10 s each. solver.c:10 leaks a datatype a second on rank 0; solver.c:20 makes one after the other, on both ranks; one
-- file was met in use; nobody knows where a window was made, nor when: before recording began.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Type_vector', 'datatype'), (2, 'MPI_Type_free', 'datatype'), (3, 'MPI_Win_create', 'one-sided');
INSERT INTO module VALUES (8, 'solver', 'aa');
INSERT INTO frame (frame, module, offset, function, file, line) VALUES (10, 8, 10, 'f', 'solver.c', 10), (20, 8, 20, 'g', 'solver.c', 20);
INSERT INTO site VALUES (110, NULL, 10), (120, NULL, 20);
INSERT INTO process (rank, clock_offset_ns, began_ns, init_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged) VALUES
    (0, 0, -5, 0, 10000000000, 'finalized', 1, 1, 1, 0, 0), (1, 0, -5, 0, 9000000000, 'finalized', 1, 1, 1, 0, 0);
WITH RECURSIVE n (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 9)
INSERT INTO object (rank, object, kind, function, site, created_ns, internal, predefined, adopted, freed_function, freed_site, freed_ns)
SELECT 0, n, 'datatype', 1, 110, n * 1000000000, 0, 0, 0, NULL, NULL, NULL FROM n
UNION ALL SELECT rank, 10 + n, 'datatype', 1, 120, n * 1000000000, 0, 0, 0, 2, 120, (n + 1) * 1000000000
          FROM n, (SELECT 0 AS rank UNION SELECT 1)
UNION ALL SELECT 0, 30, 'file', NULL, NULL, 5, 0, 0, 1, NULL, NULL, NULL
UNION ALL SELECT 0, 31, 'window', 3, NULL, NULL, 0, 0, 0, NULL, NULL, NULL
UNION ALL SELECT 0, 32, 'datatype', 1, 110, 5, 1, 0, 0, NULL, NULL, NULL;
