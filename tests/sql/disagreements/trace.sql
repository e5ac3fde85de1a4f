-- Four ranks. On "a" (500) they agree; 501: a name of its own on rank 2, none on rank 3, a name from the MPI counts for none; 502: another size
-- on rank 1. 510, an intercommunicator: each side has its name and its size. 600 to 602: rank 3 made them in another order;
-- 700 and 701: lowest members 0 and 1, made in both orders by ranks 1 and 2.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Comm_split', 'communicator'), (3, 'MPI_Comm_create_keyval', 'attribute');
INSERT INTO module VALUES (8, 'solver', 'aa');
INSERT INTO frame (frame, module, offset, function, file, line) VALUES (10, 8, 10, 'init', 'keys.c', 3);
INSERT INTO site VALUES (110, NULL, 10);
INSERT INTO process (rank, clock_offset_ns, began_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged)
SELECT value, 0, 0, 1000, 'finalized', 1, 1, 1, 0, 0 FROM json_each('[0, 1, 2, 3]');
INSERT INTO object (rank, object, kind, name, name_origin, uid, function, created_ns, internal, predefined, adopted)
SELECT p.rank, CASE WHEN p.rank = 3 AND uid IN (600, 602) THEN 1202 - uid WHEN p.rank = 2 AND uid IN (700, 701) THEN 1401 - uid ELSE uid END,
       'communicator', CASE WHEN uid = 500 THEN 'a' WHEN uid = 501 AND p.rank < 3 THEN substr('bbc', p.rank + 1, 1) WHEN uid = 501 THEN 'mine'
                            WHEN uid = 510 THEN CASE WHEN p.rank < 2 THEN 'east' ELSE 'west' END END,
       CASE WHEN uid = 501 AND p.rank = 3 THEN 'mpi' ELSE 'program' END, uid, CASE WHEN uid <> 100 THEN 1 END, uid, 0, uid = 100, 0
FROM process p, (SELECT column1 AS uid FROM (VALUES (100), (500), (501), (502), (510), (600), (601), (602), (700), (701)))
WHERE NOT (uid = 700 AND p.rank = 3) AND NOT (uid = 701 AND p.rank = 0);
INSERT INTO object (rank, object, kind, uid, function, created_ns, internal, predefined, adopted)
SELECT rank, 2, 'communicator', CASE WHEN rank < 2 THEN 21 ELSE 22 END, 1, 1, 0, 0, 0 FROM process;
UPDATE object SET parent = 2 WHERE uid = 510;
INSERT INTO communicator (rank, object, size, own_rank, remote_size, members)
SELECT rank, object, CASE WHEN uid = 502 AND rank = 1 THEN 3 WHEN uid IN (700, 701) THEN 3 WHEN uid = 510 THEN 1 ELSE 4 END, rank,
       CASE WHEN uid = 510 THEN 3 END,
       CASE WHEN rank = 0 THEN CASE uid WHEN 100 THEN '0-3' WHEN 500 THEN '0-3' WHEN 501 THEN '0-3' WHEN 502 THEN '3,2,1,0' WHEN 510 THEN '0-3'
                                        WHEN 600 THEN '0,2,...' WHEN 601 THEN '0,2,...' END END
FROM object;
INSERT INTO keyval (rank, kind, keyval, name, function, site, created_ns, created)
SELECT rank, 'communicator', 10 + rank, NULL, 3, 110, 0, 1 FROM process;
INSERT INTO keyval (rank, kind, keyval, name, created_ns, created) SELECT rank, 'communicator', 1, 'MPI_TAG_UB', 0, 1 FROM process;
-- The key of keys.c: stored on 500 everywhere, asked for before and after that; on 501 not by rank 3; on 502 an integer by rank 2, and rank 1 does
-- not find it. MPI_TAG_UB is asked for by one rank only.
INSERT INTO attribute (rank, object, keyval, operation, found, value_kind, value, site, calls)
SELECT p.rank, u.uid, 10 + p.rank, operation, found, kind, 0, 110, 1
FROM process p, (SELECT column1 AS uid FROM (VALUES (500), (501), (502))) u,
     (SELECT 'set' AS operation, 1 AS found, 'address' AS kind UNION ALL SELECT 'get', 0, 'none' UNION ALL SELECT 'get', 1, 'address')
WHERE NOT (uid = 501 AND p.rank = 3);
UPDATE attribute SET value_kind = 'integer' WHERE object = 502 AND rank = 2 AND operation = 'set';
DELETE FROM attribute WHERE object = 502 AND rank = 1 AND operation = 'get' AND found;
INSERT INTO attribute (rank, object, keyval, operation, found, value_kind, value, site, calls) VALUES (0, 100, 1, 'get', 1, 'integer', 7, 110, 1);
-- MPI_WTIME_IS_GLOBAL of the world is true for rank 0 only; MPI_APPNUM may differ.
INSERT INTO keyval (rank, kind, keyval, name, created_ns, created)
SELECT p.rank, 'communicator', k.key + 2, k.value, 0, 1 FROM process p, json_each('["MPI_WTIME_IS_GLOBAL", "MPI_APPNUM"]') k;
UPDATE object SET predefined = 1 WHERE uid = 100;
INSERT INTO attribute (rank, object, keyval, operation, found, value_kind, value, site, calls)
SELECT p.rank, 100, k.value, 'survey', 1, 'integer', CASE k.value WHEN 2 THEN p.rank = 0 ELSE p.rank END, 0, 1 FROM process p, json_each('[2, 3]') k;
-- Rank 4 died. 800 was freed by 0 and 1 only; 801 by all that came to their end; 802 by nobody.
INSERT INTO process (rank, clock_offset_ns, began_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged) VALUES
    (4, 0, 0, 1000, 'died', 1, 1, 1, 0, 0);
INSERT INTO object (rank, object, kind, uid, function, created_ns, internal, predefined, adopted, freed_ns)
SELECT p.rank, 2000 + u.value, 'communicator', u.value, 1, 2000 + u.value, 0, 0, 0,
       CASE WHEN u.value = 800 AND p.rank < 2 OR u.value = 801 AND p.rank < 4 THEN 5000 END
FROM process p, json_each('[800, 801, 802]') u;
-- On 500 a message from 0 to 1 did not arrive; 2 received one that 3 is not seen to have sent, and with 4, who died, nothing is compared.
INSERT INTO traffic (rank, object, direction, peer, source, dest, messages, bytes, time_ns) VALUES
    (0, 500, 'send', 1, 0, 1, 3, 24, 0), (1, 500, 'receive', 0, 0, 1, 2, 16, 0), (2, 500, 'receive', 3, 3, 2, 1, 8, 0), (0, 500, 'send', 4, 0, 4, 1, 8, 0);
