-- Two ranks that exchange on "rows"; rank 1 used so many tags there that the last ones share a range.
INSERT INTO module VALUES (1, '/opt/app/solver', 'aa');
INSERT INTO frame (frame, module, offset, function, file, line) VALUES (101, 1, 4128, 'exchange', 'grid.c', 17);
INSERT INTO site VALUES (201, NULL, 101);
INSERT INTO object (rank, object, kind, name, uid, internal, predefined, adopted) VALUES
    (0, 1, 'communicator', 'MPI_COMM_WORLD', 700, 0, 1, 0), (1, 1, 'communicator', 'MPI_COMM_WORLD', 700, 0, 1, 0),
    (0, 2, 'communicator', 'rows', 702, 0, 0, 0), (1, 3, 'communicator', 'rows', 702, 0, 0, 0);
INSERT INTO tag VALUES
    (0, 2, 'send', 7, 7, 7, 201, 10, 0, 0, NULL), (1, 3, 'send', 7, 7, 7, 201, 5, 0, 0, NULL), (0, 2, 'receive', 7, 7, 7, 0, 5, 0, 0, NULL),
    (0, 1, 'send', 32767, 32767, 32767, 201, 1, 0, 0, NULL), (0, 1, 'send', 32768, 32768, 32768, 201, 2, 0, 0, NULL), (1, 1, 'receive', 32768, 32768, 32768, 201, 2, 0, 0, NULL),
    (1, 3, 'send', 16384, 32767, 20000, 201, 6, 0, 0, NULL), (1, 3, 'send', 65536, 131071, 70000, 201, 9, 0, 0, NULL);
