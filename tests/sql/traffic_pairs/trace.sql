-- Six ranks: 0 and 1 share a core, 2 is on the same package, 3 on the other one, 4 on another node, of 5 nothing is known.
INSERT INTO process (rank, world_size, node, clock_offset_ns, threads, calls, mpi_ns, lost, damaged, outcome) VALUES
    (0, 6, 'a', 0, 1, 1, 0, 0, 0, 'finalized'), (1, 6, 'a', 0, 1, 1, 0, 0, 0, 'finalized'), (2, 6, 'a', 0, 1, 1, 0, 0, 0, 'finalized'),
    (3, 6, 'a', 0, 1, 1, 0, 0, 0, 'finalized'), (4, 6, 'b', 0, 1, 1, 0, 0, 0, 'finalized'), (5, 6, 'a', 0, 1, 1, 0, 0, 0, 'died');
INSERT INTO processor (rank, cpu, core, package) VALUES (0, 0, 0, 0), (1, 8, 0, 0), (2, 1, 1, 0), (3, 4, 0, 1), (4, 0, 0, 0);
INSERT INTO thread_processor VALUES
    (0, 0, 0, 90, 0, 0, 9), (0, 0, 4, 10, 1, 0, 9), (1, 0, 8, 5, 0, 0, 9), (2, 0, 1, 5, 0, 0, 9), (3, 0, 4, 5, 0, 0, 9), (4, 0, 0, 5, 0, 0, 9);
INSERT INTO object (rank, object, kind, name, uid, internal, predefined, adopted) SELECT rank, 1, 'communicator', 'MPI_COMM_WORLD', 700, 0, 1, 0 FROM process;
INSERT INTO object (rank, object, kind, name, uid, parent, internal, predefined, adopted) SELECT rank, 2, 'communicator', 'rows', 702, 1, 0, 0, 0 FROM process;
INSERT INTO object (rank, object, kind, name, uid, parent, internal, predefined, adopted) SELECT rank, 3, 'window', 'halo', 703, 2, 0, 0, 0 FROM process;
INSERT INTO window (rank, object, communicator) SELECT rank, 3, 2 FROM process;
INSERT INTO traffic VALUES
    (0, 1, 'send', 1, 0, 1, 10, 80, 1000000000), (1, 1, 'receive', 0, 0, 1, 10, 80, 2000000000),
    (0, 1, 'send', 0, 0, 0, 1, 8, 0), (0, 1, 'receive', 0, 0, 0, 1, 8, 0),
    -- one message is still on its way
    (2, 1, 'send', 0, 2, 0, 3, 24, 0), (0, 1, 'receive', 2, 2, 0, 2, 16, 0),
    (0, 1, 'send', 3, 0, 3, 1, 8, 0), (0, 1, 'send', 4, 0, 4, 1, 8, 0), (0, 1, 'send', 5, 0, 5, 1, 8, 0),
    (0, 1, 'send', -2, 0, NULL, 4, 32, 0), (0, 1, 'receive', -2, NULL, 0, 2, 0, 0),
    (0, 1, 'send', -4, 0, NULL, 7, 56, 0), (0, 2, 'receive', 9, NULL, 0, 1, 8, 0),
    -- the same ranks of another communicator are a row of their own; of one-sided transfers only the origin tells
    (0, 2, 'send', 1, 0, 1, 1, 8, 0), (0, 3, 'put', 1, 0, 1, 5, 40, 0), (0, 3, 'get', 1, 1, 0, 6, 48, 0);
