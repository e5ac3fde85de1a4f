-- Four ranks on an Allreduce. Ranks 1 and 2 spend about the same least time there: either may be the late one.
INSERT INTO function (function, name, class) VALUES (3, 'MPI_Allreduce', 'collective'), (4, 'MPI_Barrier', 'collective');
INSERT INTO process (rank, world_size, outcome, clock_offset_ns, threads, calls, mpi_ns, lost, damaged, run_hash)
SELECT column1, 4, 'finalized', 0, 1, 400, 1, 0, 0, 1 FROM (VALUES (0), (1), (2), (3));
INSERT INTO object (rank, object, kind, name, name_origin, uid, internal, predefined, adopted)
SELECT rank, 1, 'communicator', 'ring', 'program', 101, 0, 0, 0 FROM process;
INSERT INTO communicator (rank, object, size, own_rank, topology) SELECT rank, 1, 4, rank, 'none' FROM process;
UPDATE communicator SET members = '0-3' WHERE rank = 0;
INSERT INTO profile VALUES
    (0, 1, 0, 3, 1, 4, 400, 5145251170, 2374, 67654864, 0, 0), (1, 1, 0, 3, 1, 4, 400, 2741210560, 1342, 40294708, 0, 0),
    (2, 1, 0, 3, 1, 4, 400, 2890737240, 441, 61823832, 0, 0), (3, 1, 0, 3, 1, 4, 400, 3872644850, 310, 60023438, 0, 0);
