-- Four ranks on an Allreduce, called from sites 1 and 2. Rank 1 is late; most of the time is at site 2.
INSERT INTO function (function, name, class, synchronizing) VALUES (3, 'MPI_Allreduce', 'collective', 1);
INSERT INTO process (rank, world_size, outcome, clock_offset_ns, threads, calls, mpi_ns, lost, damaged, run_hash)
SELECT column1, 4, 'finalized', 0, 1, 400, 1, 0, 0, 1 FROM (VALUES (0), (1), (2), (3));
INSERT INTO object (rank, object, kind, name, name_origin, uid, internal, predefined, adopted)
SELECT rank, 1, 'communicator', 'ring', 'program', 101, 0, 0, 0 FROM process;
INSERT INTO communicator (rank, object, size, own_rank, topology) SELECT rank, 1, 4, rank, 'none' FROM process;
UPDATE communicator SET members = '0-3' WHERE rank = 0;
INSERT INTO module (module, path) VALUES (1, '/opt/ring');
INSERT INTO frame (frame, module, offset) VALUES (1, 1, 16), (2, 1, 32);
INSERT INTO site (site, frame) VALUES (1, 1), (2, 2);
INSERT INTO profile
SELECT rank, 1, 0, 3, column1, 4, 100, CASE rank WHEN 1 THEN 1000000 ELSE column1 * 1000000000 END, 1000, 9000000, 0, 0
FROM process, (VALUES (1), (2));
