-- Layers that the user asked for: by library, by folder of a library, by function and by source file; and two that nothing matches.
INSERT INTO meta (rank, key, value) VALUES (0, 'config.THROUGH', 'libfast*,*/h5py/*,exchange,comm.c,*/comm.c/*,libfaster*');
INSERT INTO module VALUES (4, '/opt/app/libfast.so', ''), (5, '/opt/py/h5py/_conv.cpython-311.so', ''), (6, '/opt/app/solver', '');
INSERT INTO frame (frame, module, offset, function, file, line) VALUES
    (1, 4, 1, NULL, NULL, NULL), (2, 5, 1, NULL, NULL, NULL), (3, 6, 1, 'exchange', 'grid.c', 1), (4, 6, 2, 'send', 'comm.c', 2);
INSERT INTO site (site, caller, frame) VALUES (1, NULL, 1), (2, NULL, 2), (3, NULL, 3), (4, NULL, 4);
