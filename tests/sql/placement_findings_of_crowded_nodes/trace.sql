-- One node has as many ranks as cores, but two are bound to the same one; the other has four ranks for two cores, of which control groups allow one and a half.
INSERT INTO process (rank, world_size, node, pid, clock_offset_ns, outcome, threads, calls, mpi_ns, lost, damaged)
SELECT rank, 8, CASE WHEN rank < 4 THEN 'a' ELSE 'b' END, 40 + rank, 0, 'finalized', 1, 10, 1000, 0, 0
FROM (SELECT 0 AS rank UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7);
INSERT INTO placement (rank, at_ns, thread, reason, processor_name, cpu, allowed_cpus)
SELECT rank, 0, 0, 'start', node, CASE node WHEN 'a' THEN max(rank, 1) ELSE rank % 2 END,
       CASE WHEN node = 'b' THEN '0-1' WHEN rank < 2 THEN '1' WHEN rank = 2 THEN '2' ELSE '0,3' END
FROM process;
INSERT INTO processor SELECT rank, cpu, cpu, 0, 0, cpu, CASE WHEN rank < 4 THEN '0-3' ELSE '0-1' END FROM placement;
INSERT INTO thread_processor SELECT rank, 0, cpu, 10, 0, 0, 1000 FROM placement;
INSERT INTO meta SELECT rank, 'cpus_online', CASE node WHEN 'a' THEN '0-3' ELSE '0-1' END FROM process;
INSERT INTO meta SELECT rank, 'cpu_quota', '1.5' FROM process WHERE node = 'b';
