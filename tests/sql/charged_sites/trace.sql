-- Calls through layers: known libraries, and those of CALLSIGN_THROUGH.
INSERT INTO meta (rank, key, value) VALUES (0, 'config.THROUGH', 'message_passing*, exchange,'), (1, 'config.THROUGH', 'message_passing*, exchange,'),
    (0, 'python_extension.rows', '/opt/py/rows.so'), (1, 'python_extension.rows', '/opt/py/rows.so');
INSERT INTO module VALUES (8, '/opt/py/h5py/_conv.cpython-311-x86_64-linux-gnu.so', ''), (9, '/home/me/run.py', ''), (10, '/opt/mine/libfast.so', ''),
    (11, '/opt/py/ext.abi3.so', ''), (12, '/opt/py/rows.so', ''), (4, '/opt/app/solver', ''), (5, '/lib/libc.so.6', ''), (6, '/opt/lib/libpetsc.so.3.18', ''), (7, '/opt/lib/libhdf5.so.103', '');
INSERT INTO frame (frame, module, offset, function, file, line) VALUES
    (1, 4, 1, '_start', NULL, NULL), (2, 5, 1, '__libc_start_main', NULL, NULL),
    (3, 4, 3, 'main', 'main.c', 3), (4, 6, 4, 'KSPSolve', 'itfunc.c', 4),
    (5, 6, 5, 'VecNorm', 'rvector.c', 5), (6, 4, 6, 'mp_sum', '/src/message_passing.F', 6),
    (7, 4, 7, 'exchange', 'grid.c', 7), (8, 4, 8, 'exchange (inlined into solve)', 'grid.c', 8),
    (9, 4, 9, 'monitor', 'main.c', 9), (10, 4, 10, 'step (inlined into exchange)', 'step.c', 10),
    (11, 7, 11, NULL, NULL, NULL), (12, NULL, 12, NULL, NULL, NULL),
    (13, 4, 13, 'H5Dwrite', NULL, NULL), (14, 4, 14, 'H5FD__mpio_write', NULL, NULL),
    (15, 4, 15, 'H5part_write', 'h5part.c', 15),
    (16, NULL, 0, '<partial>', NULL, NULL), (17, 9, 7, 'sweep', 'run.py', 7), (18, 8, 1, NULL, NULL, NULL), (19, 10, 1, 'fast', 'fast.c', 3),
    (20, NULL, 99, NULL, NULL, NULL), (21, 11, 1, 'exchange_rows', 'ext.c', 9),
    (22, 12, 1, 'sum_rows', 'rows.c', 4);
INSERT INTO site (site, caller, frame) VALUES
    (1, NULL, 1), (2, 1, 2), (3, 2, 3),
    (4, 3, 4), (5, 4, 5),   -- main, two functions of PETSc: main
    (6, 5, 9),              -- the program's function below PETSc: itself
    (7, 3, 6),              -- a file of CALLSIGN_THROUGH: main
    (8, 7, 7),              -- two layers: main, and the innermost layer
    (9, 3, 8),              -- inlined into a function that is no layer: itself
    (10, 3, 10),            -- inlined into a layer: main
    (11, NULL, 11),         -- nothing but a layer: itself
    (12, 11, 12),           -- unknown code: itself
    (14, 3, 13), (15, 14, 14), -- HDF5 that is linked statically: main
    (16, 3, 15),            -- a function whose name begins alike: itself
    (17, NULL, 16), (18, 17, 4), (19, 18, 5), -- layers whose callers were not recorded: itself
    (20, 17, 9), (21, 20, 5), -- layers below the program's function: that function
    (22, NULL, 17), (23, 22, 18), (24, 23, 11), -- HDF5 in an extension of Python: the line of Python
    (25, 22, 19),           -- a library that Python calls: itself
    (26, 22, 20), (27, 26, 20), -- generated code below Python: the line of Python
    (28, 3, 20),            -- generated code below a compiled program: itself
    (29, 4, 20),            -- the same below a layer: itself
    (30, 22, 21),           -- an extension of Python: the line of Python
    (32, 22, 22),           -- one whose file name does not show it: the line of Python
    (33, 32, 19),           -- a library that an extension calls: itself
    (31, NULL, 21),         -- one without Python above it: itself
    (13, 2, 7);             -- only the start of the program is outside: itself
