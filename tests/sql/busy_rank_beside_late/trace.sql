-- As in busy_rank, and rank 1 also comes late to a short MPI_Allreduce: that explains a small part of the time of the others, so both are reported.
INSERT INTO function (function, name, class) VALUES (3, 'MPI_Waitall', 'completion'), (4, 'MPI_Allreduce', 'collective');
INSERT INTO process (rank, world_size, outcome, clock_offset_ns, threads, calls, mpi_ns, lost, damaged, run_hash, began_ns, last_seen_ns)
SELECT column1, 4, 'finalized', 0, 1, 400, CASE column1 WHEN 1 THEN 4 ELSE 60 + column1 END * 1000000000, 0, 0, 1, 0, 100000000000
FROM (VALUES (0), (1), (2), (3));
INSERT INTO object (rank, object, kind, name, name_origin, uid, internal, predefined, adopted)
SELECT rank, 1, 'communicator', 'ring', 'program', 101, 0, 0, 0 FROM process;
INSERT INTO communicator (rank, object, size, own_rank, topology) SELECT rank, 1, 4, rank, 'none' FROM process;
INSERT INTO profile SELECT rank, 1, 0, 3, 1, 0, 400, mpi_ns, 1000, 9000000, 0, 0 FROM process;
INSERT INTO profile
SELECT rank, 1, 0, 4, 2, 4, 400, CASE rank WHEN 1 THEN 100000000 ELSE 6000000000 END, 1000, 9000000, 0, 0 FROM process;
