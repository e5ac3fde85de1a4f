-- Two communicators of ranks 0 and 1 on "a", 2 on "b" and 3 on "c", and what they kept of calls on them. On "world" all is well in the first
-- call; in the second rank 2 leaves 5 ms before rank 3 enters, and that beats rank 0; in the third rank 2 needs nobody, in the fourth nobody
-- needs rank 3; in the fifth the clocks are apart by less than a microsecond; in the sixth ranks of one node contradict each other.
INSERT INTO process (rank, node, clock_offset_ns, clock_error_ns, clock_contradiction_ns, outcome, threads, calls, mpi_ns, lost, damaged) VALUES
    (0, 'a', 0, 0, NULL, 'finalized', 1, 1, 1, 0, 0), (1, 'a', 0, 0, NULL, 'finalized', 1, 1, 1, 0, 0),
    (2, 'b', 0, 20000, NULL, 'finalized', 1, 1, 1, 0, 0), (3, 'c', 0, 30000, 4900000, 'finalized', 1, 1, 1, 0, 0);
INSERT INTO object (rank, object, kind, name, name_origin, uid, created_ns, internal, predefined, adopted)
SELECT rank, rank + 1, 'communicator', 'world', 'mpi', 700, 0, 0, 1, 0 FROM process;
INSERT INTO object (rank, object, kind, name, name_origin, uid, created_ns, internal, predefined, adopted)
SELECT rank, rank + 2, 'communicator', 'alone', 'program', NULL, 0, 0, 0, 0 FROM process;
INSERT INTO synchronization
SELECT p.rank, p.rank + 1, nth, 10000000 * nth + p.rank, 10000000 * nth + 100 - p.rank
FROM process p, (SELECT column1 AS nth FROM (VALUES (1), (2), (3), (4), (5), (6)));
UPDATE synchronization SET entered_ns = entered_ns + 5000000, left_ns = left_ns + 5000000 WHERE rank = 3 AND nth IN (2, 3, 4);
UPDATE synchronization SET left_ns = 24000000 WHERE rank = 0 AND nth = 2;
UPDATE synchronization SET left_ns = CASE rank WHEN 2 THEN NULL ELSE 40000000 END WHERE rank < 3 AND nth = 3;
UPDATE synchronization SET entered_ns = NULL WHERE rank = 3 AND nth = 4;
UPDATE synchronization SET entered_ns = entered_ns + 900 WHERE rank = 3 AND nth = 5;
UPDATE synchronization SET left_ns = 59000000 WHERE rank = 0 AND nth = 6;
UPDATE synchronization SET entered_ns = 60000050, left_ns = 60000060 WHERE rank = 1 AND nth = 6;
INSERT INTO synchronization SELECT rank, rank + 2, 1, 1000000 * rank, 1000000 * rank + 10 FROM process;
