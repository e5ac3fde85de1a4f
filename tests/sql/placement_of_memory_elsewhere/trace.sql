-- Two packages and NUMA nodes of two cores each. Ranks 0 and 1 have their memory where they are, 2 and 3 have theirs bound to the other node;
-- 3 is kept there by its cpuset. Rank 4 may run on both packages, and on one core less than there are.
INSERT INTO process (rank, world_size, node, pid, clock_offset_ns, outcome, threads, calls, mpi_ns, lost, damaged)
SELECT rank, 5, 'numa', 40 + rank, 0, 'finalized', 1, 10, 1000, 0, 0
FROM (SELECT 0 AS rank UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4);
INSERT INTO placement (rank, at_ns, thread, reason, processor_name, cpu, allowed_cpus)
SELECT rank, 0, 0, 'start', node, rank % 4, CASE rank WHEN 4 THEN '0-2' ELSE CAST(rank AS TEXT) END FROM process;
INSERT INTO processor SELECT rank, rank % 4, rank % 2, rank % 4 / 2, rank % 4 / 2, rank % 4, CASE rank % 4 / 2 WHEN 0 THEN '0-1' ELSE '2-3' END FROM process;
INSERT INTO thread_processor SELECT rank, 0, rank % 4, 10, 0, 0, 1000 FROM process;
INSERT INTO meta SELECT rank, 'cpus_online', '0-3' FROM process;
INSERT INTO meta VALUES (0, 'memory_policy', 'bind 0'), (1, 'memory_policy', 'default'), (2, 'memory_policy', 'bind 0'), (3, 'memory_policy', 'preferred 1'),
                        (4, 'memory_policy', 'interleave 0-1'), (0, 'memory_nodes', '0-1'), (1, 'memory_nodes', '0'), (2, 'memory_nodes', '0-1'), (3, 'memory_nodes', '0');
