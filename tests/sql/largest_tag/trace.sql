-- Three ranks. All of them have "whole"; of "part" one member has no trace; on "early" one has paused the recording.
INSERT INTO module VALUES (1, '/opt/app/solver', 'aa');
INSERT INTO frame (frame, module, offset, function, file, line) VALUES (101, 1, 4128, 'exchange', 'grid.c', 17);
INSERT INTO site VALUES (201, NULL, 101);
INSERT INTO process (rank, world_size, clock_offset_ns, threads, calls, mpi_ns, lost, damaged, outcome) VALUES
    (0, 4, 0, 1, 1, 0, 0, 0, 'finalized'), (1, 4, 0, 1, 1, 0, 0, 0, 'finalized'), (2, 4, 0, 1, 1, 0, 0, 0, 'finalized');
INSERT INTO pcontrol VALUES (2, 10, 0);
INSERT INTO object (rank, object, kind, name, uid, internal, predefined, adopted)
SELECT rank, object, 'communicator', name, uid, 0, 0, 0
FROM process, (SELECT 1 AS object, 'whole' AS name, 701 AS uid UNION SELECT 2, 'part', 702 UNION SELECT 3, 'early', 703 UNION SELECT 4, 'between', 704)
WHERE rank < 2 OR uid = 703;
-- "between" is an intercommunicator of one process with another one.
INSERT INTO communicator (rank, object, size, remote_size)
SELECT rank, object, CASE uid WHEN 702 THEN 4 WHEN 703 THEN 3 WHEN 704 THEN 1 ELSE 2 END, CASE uid WHEN 704 THEN 1 END FROM object;
INSERT INTO tag VALUES
    -- 7 is on both sides, 8 on one; 9 was received only: by a rank that got it twice
    (0, 1, 'send', 7, 7, 7, 201, 10, 0, 0, NULL), (1, 1, 'receive', 7, 7, 7, 0, 10, 0, 0, NULL), (0, 1, 'send', 8, 8, 8, 201, 3, 0, 0, NULL), (1, 1, 'receive', 9, 9, 9, 0, 2, 0, 0, NULL),
    -- what shares a range with others was perhaps received; 32768 to 65535 was not
    (0, 1, 'send', 5000, 5000, 5000, 201, 1, 0, 0, NULL), (1, 1, 'receive', 4096, 8191, 6000, 201, 8, 0, 0, NULL), (1, 1, 'send', 16384, 32767, 20000, 201, 6, 0, 0, NULL),
    (0, 1, 'receive', 20001, 20001, 20001, 201, 6, 0, 0, NULL), (1, 1, 'send', 32768, 65535, 40000, 201, 4, 0, 0, NULL),
    (0, 2, 'send', 1, 1, 1, 201, 1, 0, 0, NULL), (0, 3, 'send', 1, 1, 1, 201, 1, 0, 0, NULL), (0, 4, 'send', 2, 2, 2, 201, 5, 0, 0, NULL), (1, 4, 'receive', 3, 3, 3, 201, 5, 0, 0, NULL);
