-- Three ranks of a world of four. "solver" has all three: rank 2 comes last to its Allreduce, rank 0 alone receives on it. Two duplicates
-- are similar. Two halves are similar too, but have other members. Of "all" the fourth member's trace is not here; "bridge" has two sides. A window and a file on
-- "solver" have its members: rank 0 comes last to the fence, rank 1 to the collective write. Of a window on "all" nothing is known.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Comm_dup', 'communicator'), (2, 'MPI_Comm_split', 'communicator'), (3, 'MPI_Allreduce', 'collective'),
    (4, 'MPI_Recv', 'point-to-point'), (5, 'MPI_Allreduce_init', 'collective'), (6, 'MPI_Bcast', 'collective');
WITH made (object, name, origin, parent, function, site) AS (VALUES
         (1, 'all', 'program', NULL, NULL, NULL), (2, 'solver', 'program', 1, 2, 20), (3, 'solver.dup1', 'derived', 2, 1, 30),
         (4, 'solver.dup2', 'derived', 2, 1, 30), (5, 'bridge', 'program', 1, 2, 40), (6, 'half', 'program', 2, 2, 50))
INSERT INTO object (rank, object, kind, name, name_origin, uid, parent, function, site, internal, predefined, adopted)
SELECT rank, object, 'communicator', name, origin, 100 + object, parent, function, site, 0, 0, 0
FROM made, (SELECT column1 AS rank FROM (VALUES (0), (1), (2)));
INSERT INTO communicator (rank, object, size, own_rank, topology)
SELECT rank, object, CASE name WHEN 'all' THEN 4 WHEN 'half' THEN 2 ELSE 3 END, rank, 'none' FROM object;
UPDATE communicator SET remote_size = 1 WHERE object = 5;
-- The second half has ranks 1 and 2: on rank 1 it is object 7.
UPDATE object SET uid = 107 WHERE object = 6 AND rank = 2;
INSERT INTO object (rank, object, kind, name, name_origin, uid, parent, function, site, internal, predefined, adopted)
VALUES (1, 7, 'communicator', 'half', 'program', 107, 2, 2, 50, 0, 0, 0);
INSERT INTO communicator (rank, object, size, own_rank, topology) VALUES (1, 7, 2, 0, 'none');
UPDATE communicator SET members = CASE object WHEN 6 THEN '0,1' ELSE '0-2' END WHERE rank = 0;
UPDATE communicator SET members = '1,2' WHERE rank = 1 AND object = 7;

INSERT INTO profile VALUES
    (0, 2, 0, 3, 1, 4, 50, 900000000, 1, 1, 0, 0), (1, 2, 0, 3, 1, 4, 50, 800000000, 1, 1, 0, 0), (2, 2, 0, 3, 1, 4, 50, 100000000, 1, 1, 0, 0),
    (0, 2, 0, 4, 1, 4, 9, 60000000, 1, 1, 0, 0), (0, 2, 0, 5, 1, 4, 1, 100, 1, 1, 0, 0),
    (0, 3, 0, 3, 1, 4, 1, 2000, 1, 1, 0, 0), (1, 3, 0, 3, 1, 4, 1, 1000, 1, 1, 0, 0), (2, 3, 0, 3, 1, 4, 1, 3000, 1, 1, 0, 0),
    (0, 4, 0, 3, 1, 4, 1, 2000, 1, 1, 0, 0), (1, 4, 0, 3, 2, 4, 1, 1000, 1, 1, 0, 0), (2, 4, 0, 3, 1, 4, 1, 3000, 1, 1, 0, 0),
    (0, 6, 0, 6, 1, 4, 1, 20, 1, 1, 0, 0), (1, 6, 0, 6, 1, 4, 1, 10, 1, 1, 0, 0), (1, 7, 0, 6, 1, 4, 1, 40, 1, 1, 0, 0),
    (2, 6, 0, 6, 1, 4, 1, 30, 1, 1, 0, 0),
    (0, 1, 0, 3, 1, 4, 1, 7, 1, 1, 0, 0), (1, 5, 0, 3, 1, 4, 1, 7, 1, 1, 0, 0);

INSERT INTO function (function, name, class) VALUES (7, 'MPI_Win_fence', 'one-sided'), (8, 'MPI_Win_lock_all', 'one-sided'), (9, 'MPI_Win_create', 'window'),
    (10, 'MPI_Win_create_keyval', 'attribute'), (11, 'MPI_File_write_at_all', 'io'), (12, 'MPI_File_iwrite_at_all', 'io'),
    (13, 'MPI_File_write_at', 'io');
WITH made (object, kind, name, parent) AS (VALUES (10, 'window', 'queue', 2), (11, 'file', 'out.dat', 2), (12, 'window', 'wide', 1))
INSERT INTO object (rank, object, kind, name, name_origin, uid, parent, function, site, internal, predefined, adopted)
SELECT rank, object, kind, name, 'program', 100 + object, parent, 9, 60, 0, 0, 0 FROM made, (SELECT column1 AS rank FROM (VALUES (0), (1), (2)));
WITH spent (object, function, first_ns, second_ns, third_ns) AS (VALUES
         (10, 7, 100, 700, 800), (10, 8, 10, 20, 30), (11, 11, 500, 90, 600), (11, 12, 3, 2, 1), (11, 13, 6, 5, 4), (12, 7, 9, 9, 9), (0, 9, 70, 80, 60), (0, 10, 1, 2, 3))
INSERT INTO profile
SELECT rank, 2, object, function, 1, 0, 5, CASE rank WHEN 0 THEN first_ns WHEN 1 THEN second_ns ELSE third_ns END * 1000, 1, 1, 0, 0
FROM spent, (SELECT column1 AS rank FROM (VALUES (0), (1), (2)));
