-- 64 nodes of two packages and NUMA nodes with eight cores each, of two processors; a rank on each core, bound to it, but on the last node: there nobody is.
INSERT INTO process (rank, world_size, node, pid, clock_offset_ns, outcome, threads, calls, mpi_ns, lost, damaged)
WITH RECURSIVE n (rank) AS (SELECT 0 UNION ALL SELECT rank + 1 FROM n WHERE rank < 1023)
SELECT rank, 1024, printf('nid%05d', rank / 16), 4000 + rank, 0, 'finalized', 1, 10, 1000, 0, 0 FROM n;
INSERT INTO placement (rank, at_ns, thread, reason, processor_name, cpu, allowed_cpus)
SELECT rank, 0, 0, 'start', node, rank % 16, CASE WHEN rank < 1008 THEN printf('%d,%d', rank % 16, rank % 16 + 16) ELSE '0-31' END FROM process;
INSERT INTO processor SELECT rank, rank % 16, rank % 8, rank % 16 / 8, rank % 16 / 8, printf('%d,%d', rank % 16, rank % 16 + 16),
                             CASE rank % 16 / 8 WHEN 0 THEN '0-7,16-23' ELSE '8-15,24-31' END FROM process;
INSERT INTO thread_processor SELECT rank, 0, rank % 16, 10, 0, 0, 1000 FROM process;
INSERT INTO meta SELECT rank, key, value FROM process,
       (SELECT 'cpus_online' AS key, '0-31' AS value UNION SELECT 'memory_policy', 'default' UNION SELECT 'memory_nodes', '0-1');
-- Thirty-two communicators over half of the nodes each, and one of all ranks.
INSERT INTO object (rank, object, kind, name, name_origin, uid, created_ns, internal, predefined, adopted)
SELECT rank, object, 'communicator', CASE object WHEN 1 THEN 'MPI_COMM_WORLD' WHEN 2 THEN 'row ' || (rank % 32) ELSE 'grid' END, 'program',
       CASE object WHEN 2 THEN 100 + rank % 32 ELSE object END, 0, 0, object = 1, 0
FROM process, (SELECT 1 AS object UNION SELECT 2 UNION SELECT 3);
INSERT INTO communicator (rank, object, size, own_rank, topology)
SELECT rank, object, CASE object WHEN 2 THEN 32 ELSE 1024 END, CASE object WHEN 2 THEN rank / 32 ELSE rank END, 'none' FROM object;
