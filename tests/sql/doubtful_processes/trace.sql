-- Rank 0 is whole, and set another level than 0; 1 paused; 2 lost a fact, 3 was damaged, 4 has a library that was not recorded; 5 paused and lost a fact.
INSERT INTO process (rank, world_size, clock_offset_ns, threads, calls, mpi_ns, lost, damaged, outcome)
    SELECT value, 6, 0, 1, 1, 0, value IN (2, 5), value = 3, 'finalized' FROM json_each('[0,1,2,3,4,5]');
INSERT INTO pcontrol VALUES (0, 10, 2), (1, 10, 0), (1, 20, 1), (5, 10, 0);
INSERT INTO meta (rank, key, value) VALUES (4, 'not_recorded', '/opt/a.so');
