-- Four ranks that ran 100 s. Nearly all MPI time is waiting for rank 1, but that is 0.75 % of the time of the ranks.
INSERT INTO function (function, name, class, synchronizing) VALUES (3, 'MPI_Allreduce', 'collective', 1);
INSERT INTO process (rank, world_size, outcome, clock_offset_ns, threads, calls, mpi_ns, lost, damaged, run_hash, began_ns, last_seen_ns)
SELECT column1, 4, 'finalized', 0, 1, 400, 1000000000, 0, 0, 1, 0, 100000000000 FROM (VALUES (0), (1), (2), (3));
INSERT INTO object (rank, object, kind, name, name_origin, uid, internal, predefined, adopted)
SELECT rank, 1, 'communicator', 'ring', 'program', 101, 0, 0, 0 FROM process;
INSERT INTO communicator (rank, object, size, own_rank, topology) SELECT rank, 1, 4, rank, 'none' FROM process;
UPDATE communicator SET members = '0-3' WHERE rank = 0;
INSERT INTO profile
SELECT rank, 1, 0, 3, 1, 4, 100, CASE rank WHEN 1 THEN 1000000 ELSE 1000000000 END, 1000, 9000000, 0, 0 FROM process;
