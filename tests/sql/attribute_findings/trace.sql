-- A merged run of four ranks. MPI_TAG_UB of MPI_COMM_WORLD is another one on rank 2 and below 32767 there; rank 3 is not told whether
-- MPI_WTIME_IS_GLOBAL, the others that it is not. MPI_APPNUM may differ.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Comm_dup', 'communicator'), (3, 'MPI_Comm_create_keyval', 'attribute'), (4, 'MPI_Type_create_keyval', 'attribute'),
    (5, 'MPI_Comm_free', 'communicator'), (6, 'MPI_Irecv', 'point-to-point');
INSERT INTO module VALUES (8, 'solver', 'aa');
INSERT INTO frame (frame, module, offset, function, file, line) VALUES
    (10, 8, 10, 'init', 'keys.c', 3), (11, 8, 11, 'main', 'ask.c', 5), (12, 8, 12, 'main', 'ask.c', 6),
    (13, 8, 13, 'init', 'types.c', 9);
INSERT INTO site VALUES (110, NULL, 10), (111, NULL, 11), (112, NULL, 12), (113, NULL, 13), (114, 113, 11);
INSERT INTO process (rank, world_size, program, clock_offset_ns, began_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged)
SELECT value, 4, 'solver', 0, 0, 1000, 'finalized', 1, 1, 1, 0, 0 FROM json_each('[0, 1, 2, 3]');
INSERT INTO object (rank, object, kind, name, name_origin, uid, created_ns, internal, predefined, adopted)
SELECT rank, 1, 'communicator', 'MPI_COMM_WORLD', 'mpi', 100, 0, 0, 1, 0 FROM process;
INSERT INTO object (rank, object, kind, name, name_origin, uid, created_ns, internal, predefined, adopted)
SELECT rank, 2, 'communicator', 'MPI_COMM_SELF', 'mpi', 200 + rank, 0, 0, 1, 0 FROM process;
INSERT INTO object (rank, object, kind, name, name_origin, uid, function, site, created_ns, freed_function, freed_site, freed_ns, internal, predefined, adopted)
SELECT rank, 10 + value, 'communicator', 'row ' || value, 'program', 300 + value, 1, 111, 10, 5, 112, 900, 0, 0, 0 FROM process, json_each('[0, 1, 2]');
-- Each rank made three keys, a number that is negative in this MPI among them: of two kinds, and one by the MPI itself. One was freed.
INSERT INTO object (rank, object, kind, handle, function, site, created_ns, freed_ns, internal, predefined, adopted)
SELECT rank, 20, 'keyval', 20 + rank, 3, 110, 1, 900, 0, 0, 0 FROM process
UNION ALL SELECT rank, 21, 'keyval', 2751463424 + rank, 4, 113, 1, NULL, 0, 0, 0 FROM process WHERE rank < 2
UNION ALL SELECT rank, 22, 'keyval', 99, 3, NULL, 7, NULL, 1, 0, 0 FROM process;
INSERT INTO keyval (rank, kind, keyval, name, created)
SELECT p.rank, 'communicator', k.key + 1, k.value, 1 FROM process p, json_each('["MPI_TAG_UB", "MPI_WTIME_IS_GLOBAL", "MPI_APPNUM", "MPI_IO"]') k;
INSERT INTO keyval (rank, kind, keyval, function, site, created_ns, created)
SELECT rank, 'communicator', 20 + rank, 3, 110, 5, 1 FROM process UNION ALL SELECT rank, 'datatype', -1543503872 + rank, 4, 113, 6, 1 FROM process WHERE rank < 2;
INSERT INTO created_keyval (rank, object, kind, keyval, language, copy_function, delete_function)
SELECT rank, 20, 'communicator', 20 + rank, 'C', 'MPI_COMM_NULL_COPY_FN', 'MPI_COMM_NULL_DELETE_FN' FROM process
UNION ALL SELECT rank, 21, 'datatype', -1543503872 + rank, 'C', 'MPI_TYPE_NULL_COPY_FN', 'MPI_TYPE_NULL_DELETE_FN' FROM process WHERE rank < 2;
-- A key whose delete function is to be called at the end: nobody has to ask for it.
INSERT INTO keyval (rank, kind, keyval, function, site, created_ns, created) VALUES (0, 'communicator', 30, 3, 112, 8, 1);
INSERT INTO created_keyval (rank, object, kind, keyval, language, copy_function, delete_site) VALUES (0, 23, 'communicator', 30, 'C', 'MPI_COMM_NULL_COPY_FN', 113);
INSERT INTO attribute (rank, object, kind, keyval, operation, found, value_kind, value, site, calls) VALUES (0, 2, 'communicator', 30, 'set', 1, 'address', 9, 112, 1);
INSERT INTO object (rank, object, kind, handle, function, site, created_ns, freed_ns, internal, predefined, adopted) VALUES
    (0, 23, 'keyval', 30, 3, 112, 7, 8, 0, 0, 0), (0, 24, 'keyval', 20, 3, 111, 950, 970, 0, 0, 0);
UPDATE attribute SET first_ns = 8 WHERE keyval = 30;
-- The number of a key that was freed is that of another one now, which is asked for on an object that has a value of the first.
INSERT INTO created_keyval (rank, object, kind, keyval, language, copy_function, delete_function)
VALUES (0, 24, 'communicator', 20, 'C', 'MPI_COMM_NULL_COPY_FN', 'MPI_COMM_NULL_DELETE_FN');
INSERT INTO attribute (rank, object, kind, keyval, operation, found, value_kind, value, site, calls, first_ns) VALUES
    (0, 11, 'communicator', 20, 'get', 0, 'none', 0, 111, 1, 960);
INSERT INTO attribute (rank, object, kind, keyval, operation, found, value_kind, value, error, site, calls, first_ns, last_ns)
SELECT rank, 1, 'communicator', 1, 'survey', 1, 'integer', CASE rank WHEN 2 THEN 1000 ELSE 2147483647 END, NULL, 0, 1, 1, 1 FROM process
UNION ALL SELECT rank, 1, 'communicator', 2, 'survey', rank < 3, 'integer', 0, NULL, 0, 1, 1, 1 FROM process
UNION ALL SELECT rank, 1, 'communicator', 3, 'survey', 1, 'integer', rank, NULL, 0, 1, 1, 1 FROM process
UNION ALL SELECT rank, 1, 'communicator', 1, 'get', 1, 'integer', CASE rank WHEN 2 THEN 1000 ELSE 2147483647 END, NULL, 111, 5, 2, 3 FROM process WHERE rank <> 1
-- MPI_APPNUM is not set on the rows, which is asked twice by rank 0.
UNION ALL SELECT 0, 10, 'communicator', 3, 'get', 0, 'none', 0, NULL, 112, 2, 2, 3
-- The program's own key is looked for, then set: no finding. It is set on the last row only by rank 3, and found on another.
UNION ALL SELECT rank, 11, 'communicator', 20 + rank, 'get', 0, 'none', 0, NULL, 112, 1, 4, 4 FROM process WHERE rank < 3
UNION ALL SELECT rank, 11, 'communicator', 20 + rank, 'set', 1, 'address', 77, NULL, 112, 1, 5, 5 FROM process WHERE rank < 3
UNION ALL SELECT 3, 12, 'communicator', 23, 'set', 1, 'address', 77, NULL, 112, 4, 5, 5
-- The other one is set and never asked for, but by a call that fails.
UNION ALL SELECT 1, 30, 'datatype', -1543503871, 'set', 1, 'address', 78, NULL, 114, 6, 6, 6
UNION ALL SELECT 1, 0, 'datatype', -1543503871, 'get', 0, 'error', 3, 'MPI_ERR_TYPE', 114, 1, 7, 7
UNION ALL SELECT rank, 1, 'communicator', 1, 'set', 0, 'error', 48, 'MPI_ERR_KEYVAL', 112, 1, 8, 8 FROM process;
INSERT INTO object (rank, object, kind, name, name_origin, created_ns, internal, predefined, adopted) VALUES (1, 30, 'datatype', 'pair', 'program', 1, 0, 0, 1);
INSERT INTO pending_request SELECT rank, 10, 6, 111, 2 FROM process;
