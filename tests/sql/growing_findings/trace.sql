-- Ranks 0 and 1 died, rank 2 finalized: what it never freed is another finding.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Comm_dup', 'communicator'), (2, 'MPI_Type_vector', 'datatype');
INSERT INTO process (rank, world_size, node, pid, program, clock_offset_ns, began_ns, init_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged)
    SELECT value, 3, 'node', 100 + value, '/opt/app/solver', 0, 0, 1000, 6000, CASE value WHEN 2 THEN 'finalized' ELSE 'died' END, 1, 5, 1, 0, 0
    FROM json_each('[0,1,2]');
-- site 11: 100 communicators on each rank, all the time; site 12: 100 datatypes of rank 0 at the beginning; site 13: 100 on rank 0 all the time, freed but
-- for 99; site 14: none in the third fifth
WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 99)
INSERT INTO object (rank, object, kind, name, name_origin, function, site, created_ns, freed_ns, internal, predefined, adopted)
    SELECT value, 100 + n, 'communicator', 'c' || n, 'program', 1, 11, 1000 + 50 * n, NULL, 0, 0, 0 FROM n, json_each('[0,1,2]')
    UNION ALL SELECT 0, 300 + n, 'datatype', NULL, NULL, 2, 12, 1000 + n, NULL, 0, 0, 0 FROM n
    UNION ALL SELECT 0, 500 + n, 'datatype', NULL, NULL, 2, 13, 1000 + 50 * n, CASE n WHEN 7 THEN 2000 END, 0, 0, 0 FROM n
    UNION ALL SELECT 1, 700 + n, 'datatype', NULL, NULL, 2, 14, 1000 + CASE WHEN n BETWEEN 40 AND 59 THEN 0 ELSE 50 * n END, NULL, 0, 0, 0 FROM n;
INSERT INTO site VALUES (11, NULL, 11), (12, NULL, 12), (13, NULL, 13), (14, NULL, 14);
