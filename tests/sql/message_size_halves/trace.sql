-- Two ranks on "world" and its window "queue" and file "out". What is not a message: receives, waits, creating a persistent request, a fence.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Send', 'point-to-point'), (2, 'MPI_Recv', 'point-to-point'), (3, 'MPI_Send_init', 'point-to-point'),
    (4, 'MPI_Sendrecv', 'point-to-point'), (5, 'MPI_Waitall', 'completion'), (6, 'MPI_Start', 'request'), (7, 'MPI_Startall', 'request'),
    (8, 'MPI_Bcast', 'collective'), (9, 'MPI_Barrier', 'collective'), (10, 'MPI_Bcast_init', 'collective'), (11, 'MPI_Put', 'one-sided'),
    (12, 'MPI_Win_fence', 'one-sided'), (13, 'MPI_File_write', 'io'), (14, 'MPI_Init', 'lifecycle'), (15, 'MPI_Isend', 'point-to-point');
WITH made (object, kind, name, parent) AS (VALUES (1, 'communicator', 'world', NULL), (2, 'window', 'queue', 1), (3, 'file', 'out', 1))
INSERT INTO object (rank, object, kind, name, name_origin, uid, parent, internal, predefined, adopted)
SELECT rank, object, kind, name, 'program', 100 + object, parent, 0, 0, 0 FROM made, (SELECT 0 AS rank UNION SELECT 1);
INSERT INTO communicator (rank, object, size, own_rank) VALUES (0, 1, 2, 0), (1, 1, 2, 1);
-- rank, communicator, object, function, site, size_class, calls, time_ns, min_ns, max_ns, sent_bytes, received_bytes
INSERT INTO profile VALUES
    (0, 1, 0, 1, 1, 4, 10, 1, 1, 1, 80, 0), (1, 1, 0, 1, 1, 4, 5, 1, 1, 1, 60, 0), (1, 1, 0, 15, 2, 4, 1, 1, 1, 1, 8, 0), (0, 1, 0, 1, 1, 0, 7, 1, 1, 1, 0, 0),
    (0, 1, 0, 1, 2, 21, 1, 1, 1, 1, 1048576, 0), (1, 1, 0, 2, 1, 21, 1, 1, 1, 1, 0, 1048576), (1, 1, 0, 5, 1, 4, 0, 1, 1, 1, 0, 80),
    (0, 1, 0, 3, 1, 0, 4, 1, 1, 1, 0, 0), (0, 1, 0, 4, 1, 5, 2, 1, 1, 1, 0, 32), (1, 1, 0, 4, 1, 5, 2, 1, 1, 1, 32, 0),
    (0, 1, 0, 6, 1, 11, 3, 1, 1, 1, 3072, 0), (0, 1, 0, 6, 2, 11, 3, 1, 1, 1, 0, 0), (0, 1, 0, 7, 1, 4, 0, 1, NULL, NULL, 80, 0), (0, 0, 0, 7, 1, 0, 2, 1, 1, 1, 0, 0),
    (0, 1, 0, 8, 1, 8, 6, 1, 1, 1, 768, 0), (1, 1, 0, 8, 1, 8, 6, 1, 1, 1, 0, 768), (0, 1, 0, 9, 1, 0, 20, 1, 1, 1, 0, 0), (1, 1, 0, 9, 1, 0, 20, 1, 1, 1, 0, 0),
    (0, 1, 0, 10, 1, 0, 1, 1, 1, 1, 0, 0), (0, 1, 2, 11, 1, 3, 9, 1, 1, 1, 36, 0), (0, 1, 2, 12, 1, 0, 9, 1, 1, 1, 0, 0),
    (1, 1, 3, 13, 1, 31, 1, 1, 1, 1, 1073741824, 0), (0, 0, 0, 14, 0, 0, 1, 1, 1, 1, 0, 0);
