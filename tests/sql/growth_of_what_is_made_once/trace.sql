-- A rank that ran for 10 s: three datatypes of the first second stay, one in every second stays too.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Type_vector', 'datatype'), (2, 'MPI_Type_contiguous', 'datatype');
INSERT INTO process (rank, clock_offset_ns, began_ns, init_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged)
VALUES (0, 0, -5, 0, 10000000000, 'died', 1, 14, 1, 0, 0);
INSERT INTO object (rank, object, kind, function, site, created_ns, internal, predefined, adopted)
SELECT 0, value, 'datatype', CASE WHEN value <= 3 THEN 1 ELSE 2 END, 9, CASE WHEN value <= 3 THEN value * 100000000 ELSE (value - 3) * 1000000000 - 1 END,
       0, 0, 0
FROM json_each('[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]');
