-- 64 nodes of two packages with eight cores each, a rank on each core; each sends to the thirty next, more to the nearer, and to itself.
INSERT INTO process (rank, world_size, node, pid, clock_offset_ns, outcome, threads, calls, mpi_ns, lost, damaged)
WITH RECURSIVE n (rank) AS (SELECT 0 UNION ALL SELECT rank + 1 FROM n WHERE rank < 1023)
SELECT rank, 1024, printf('nid%05d', rank / 16), 4000 + rank, 0, 'finalized', 1, 10, 1000, 0, 0 FROM n;
INSERT INTO processor (rank, cpu, core, package) SELECT rank, rank % 16, rank % 8, rank % 16 / 8 FROM process;
INSERT INTO thread_processor SELECT rank, 0, rank % 16, 10, 0, 0, 1000 FROM process;
INSERT INTO object (rank, object, kind, name, uid, internal, predefined, adopted)
SELECT rank, 1, 'communicator', 'MPI_COMM_WORLD', 1, 0, 1, 0 FROM process UNION ALL SELECT rank, 2, 'communicator', 'grid', 2, 0, 0, 0 FROM process
UNION ALL SELECT rank, 3, 'communicator', 'row ' || (rank / 32), 100 + rank / 32, 0, 0, 0 FROM process;
INSERT INTO communicator (rank, object, size) SELECT rank, object, CASE object WHEN 3 THEN 32 ELSE 1024 END FROM object;
INSERT INTO traffic
WITH RECURSIVE step (k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM step WHERE k < 30)
SELECT rank, 2, 'send', (rank + k) % 1024, rank, (rank + k) % 1024, 10, 80000 / (k + 1), 1000 FROM process, step
UNION ALL SELECT rank, 2, 'receive', (rank + 1024 - k) % 1024, (rank + 1024 - k) % 1024, rank, 10, 80000 / (k + 1), 1000 FROM process, step
UNION ALL SELECT rank, 3, 'send', 0, rank, rank / 32 * 32, 1, 0, 1000 FROM process UNION ALL SELECT rank / 32 * 32, 3, 'receive', rank % 32, rank, rank / 32 * 32, 1, 0, 1000 FROM process;
INSERT INTO tag
WITH RECURSIVE step (k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM step WHERE k < 30)
SELECT rank, 2, direction, 40 * rank + k, 40 * rank + k, 40 * rank + k, 0, 10, 0, 0, NULL FROM process, step, (SELECT 'send' AS direction UNION SELECT 'receive');
