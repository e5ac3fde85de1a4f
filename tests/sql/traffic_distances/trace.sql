-- Four nodes with two ranks each: on a they share a core, on b a package, on c the node; of d the processors are not known. Rank 5 lost a fact,
-- rank 6 paused the recording, rank 7 died.
INSERT INTO process (rank, world_size, node, clock_offset_ns, threads, calls, mpi_ns, lost, damaged, outcome)
WITH RECURSIVE n (rank) AS (SELECT 0 UNION ALL SELECT rank + 1 FROM n WHERE rank < 7)
SELECT rank, 8, char(97 + rank / 2), 0, 1, 1, 0, rank = 5, 0, CASE rank WHEN 7 THEN 'died' ELSE 'finalized' END FROM n;
INSERT INTO pcontrol VALUES (6, 10, 0), (6, 20, 1), (0, 10, 2);
INSERT INTO processor (rank, cpu, core, package) VALUES (0, 0, 0, 0), (1, 8, 0, 0), (2, 0, 0, 0), (3, 1, 1, 0), (4, 0, 0, 0), (5, 4, 0, 1);
INSERT INTO thread_processor SELECT rank, 0, cpu, 5, 0, 0, 9 FROM processor;
INSERT INTO object (rank, object, kind, name, uid, internal, predefined, adopted)
SELECT rank, 1, 'communicator', 'MPI_COMM_WORLD', 700, 0, 1, 0 FROM process UNION ALL SELECT rank, 2, 'communicator', 'row ' || (rank % 2), 701 + rank % 2, 0, 0, 0 FROM process
UNION ALL SELECT rank, 3, 'communicator', 'adopted', NULL, 0, 0, 1 FROM process UNION ALL SELECT rank, 4, 'window', 'halo', 703, 0, 0, 0 FROM process;
INSERT INTO window (rank, object, communicator) SELECT rank, 4, 2 FROM process;
-- A ring in which both accounts agree, all but the last rank's.
INSERT INTO traffic SELECT rank, 1, 'send', rank + 1, rank, rank + 1, 10, 1000, 5 FROM process WHERE rank < 4;
INSERT INTO traffic SELECT rank + 1, 1, 'receive', rank, rank, rank + 1, 10, 1000, 5 FROM process WHERE rank < 4;
INSERT INTO traffic VALUES
    -- one message is never received, one is longer than its buffer, one has no sender; one to itself is still there at the end
    (2, 2, 'send', 0, 2, 0, 3, 24, 0), (0, 2, 'receive', 1, 2, 0, 2, 16, 0), (0, 2, 'send', 1, 0, 2, 4, 4000, 0), (2, 2, 'receive', 0, 0, 2, 4, 3000, 0),
    (3, 2, 'receive', 0, 1, 3, 1, 8, 0), (0, 1, 'send', 0, 0, 0, 1, 8, 0),
    -- there are reasons for these
    (4, 1, 'send', 5, 4, 5, 5, 40, 0), (5, 1, 'receive', 4, 4, 5, 4, 32, 0), (6, 1, 'send', 4, 6, 4, 1, 8, 0), (4, 1, 'receive', 6, 6, 4, 3, 24, 0),
    -- not told: of who died, of one with too many partners, of a communicator that nobody knows the members of, of one-sided transfers
    (4, 1, 'send', 7, 4, 7, 9, 72, 0), (3, 1, 'send', 0, 3, 0, 2, 16, 0), (3, 1, 'send', -4, 3, NULL, 50, 400, 0), (0, 1, 'receive', 3, 3, 0, 5, 40, 0),
    (0, 3, 'send', 1, 0, 1, 6, 48, 0), (0, 4, 'put', 1, 0, 2, 5, 40, 0),
    (0, 1, 'send', -2, 0, NULL, 2, 16, 0), (6, 1, 'receive', -2, NULL, 6, 1, 0, 0);
