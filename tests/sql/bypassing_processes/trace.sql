-- Rank 0 is whole. Rank 1 called PMPI_Send, and could have called another. Rank 2 died, so that it does not know. Rank 3 could, and did not. Rank 4
-- has a library that found the MPI before callsign. Ranks 1 and 3 have a communicator of their own, and all the world.
INSERT INTO process (rank, world_size, clock_offset_ns, threads, calls, mpi_ns, lost, damaged, outcome)
    SELECT value, 5, 0, 1, 1, 0, 0, 0, CASE value WHEN 2 THEN 'died' ELSE 'finalized' END FROM json_each('[0,1,2,3,4]');
INSERT INTO meta (rank, key, value) VALUES
    (1, 'may_bypass', '/opt/a'), (1, 'may_bypass.functions', 'PMPI_Send:PMPI_Recv'), (1, 'not_recorded', '/opt/a'), (1, 'not_recorded.functions', 'PMPI_Send'),
    (2, 'may_bypass', '/opt/a'), (2, 'may_bypass.functions', 'PMPI_Send:PMPI_Recv'), (3, 'may_bypass', '/opt/a'), (3, 'may_bypass.functions', 'PMPI_Recv'),
    (4, 'not_recorded', '/opt/b.so');
INSERT INTO object (rank, object, kind, uid, internal, predefined, adopted, created_ns)
    SELECT value, 1, 'communicator', 700, 0, 1, 0, 0 FROM json_each('[0,1,2,3,4]') UNION ALL
    SELECT value, 2, 'communicator', 701, 0, 0, 0, 0 FROM json_each('[1,3]') UNION ALL
    SELECT value, 4, 'communicator', 702, 0, 0, 0, 0 FROM json_each('[0,3]') UNION ALL SELECT 1, 3, 'datatype', 703, 0, 0, 0, 0;
