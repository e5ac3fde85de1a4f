-- A merged run of two ranks. Rank 0 finalized; rank 1 died in MPI_Recv on "rows", waiting for rank 0.
INSERT INTO function (function, name, class) VALUES
    (1, 'MPI_Comm_split', 'communicator'), (2, 'MPI_Comm_free', 'communicator'), (3, 'MPI_Type_vector', 'datatype'),
    (4, 'MPI_Send', 'point-to-point'), (5, 'MPI_Recv', 'point-to-point'), (6, 'MPI_Init', 'lifecycle'),
    (7, 'MPI_Comm_dup', 'communicator'), (8, 'MPI_Win_allocate', 'one-sided'), (9, 'MPI_Win_free', 'one-sided'),
    (10, 'MPI_Allreduce', 'collective'), (11, 'MPI_Type_create_resized', 'datatype'), (12, 'MPI_Comm_create_keyval', 'attribute'),
    (13, 'MPI_Wtime', 'environment'), (14, 'MPI_Type_free', 'datatype');

INSERT INTO module VALUES (1, '/opt/app/solver', 'aa'), (2, '/opt/app/libgrid.so', 'bb');
INSERT INTO frame (frame, module, offset, function, file, line) VALUES
    (101, 1, 4096, NULL, NULL, NULL), (102, 1, 4128, 'split_rows', 'grid.c', 17),
    (103, 2, 64, 'exchange', NULL, NULL), (104, NULL, 140737488355327, NULL, NULL, NULL);
INSERT INTO site VALUES (201, NULL, 101), (202, 201, 102), (203, 202, 103), (204, NULL, 104);

INSERT INTO process (rank, world_size, node, pid, program, arguments, clock_offset_ns, began_ns, init_ns, finalize_ns, last_seen_ns, outcome,
                     last_function, last_object, last_peer, last_tag, last_bytes, last_site, last_since_ns, threads, calls, mpi_ns, lost, damaged) VALUES
    (0, 2, 'node7', 4711, '/opt/app/solver', '-n 4', 0, -1000, 0, 1999900000, 1999999000, 'finalized', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, 61,
     500000000, 0, 0),
    (1, 2, 'node8', 815, '/opt/app/solver', '-n 4', -250, -250, -150, NULL, 999999750, 'died', 5, 3, 0, 99, 800, 203, 999000000, 4, 12, 250000000, 3, 1);
-- Its other threads were one that waits for any message, one that computes, and two that had ended.
INSERT INTO thread (rank, thread, tid, threads, state, function, object, peer, tag, bytes, site, since_ns, until_ns, calls, mpi_ns, lived_ns) VALUES
    (0, 0, 4711, 1, 'outside', 6, NULL, NULL, NULL, NULL, 201, 1999900000, 1999999000, 61, 500000000, 2000000000),
    (1, 0, 815, 1, 'inside', 5, 3, 0, 99, 800, 203, 999000000, 998000000, 8, 200000000, 1000000000),
    (1, 1, 816, 1, 'inside', 5, 1, -1, -1, NULL, 204, 999500000, NULL, 1, 40000000, 100000000),
    (1, 2, 817, 1, 'outside', 10, 1, NULL, NULL, 8, 201, 400000000, 450000000, 2, 10000000, 700000000),
    (1, 3, 819, 2, 'ended', 4, 3, -2, 5, 16, 203, 500000000, 500000100, 1, 0, 200000000);

INSERT INTO object (rank, object, kind, name, name_origin, parent, function, site, created_ns, internal, predefined, adopted, freed_function,
                    freed_site, freed_ns) VALUES
    (0, 1, 'communicator', 'MPI_COMM_WORLD', 'mpi', NULL, NULL, NULL, -100, 0, 1, 0, NULL, NULL, NULL),
    (0, 2, 'communicator', 'rows', 'program', 1, 1, 202, 1000, 0, 0, 0, 2, 201, 9000),
    (0, 3, 'communicator', NULL, NULL, 2, 7, 203, 2000, 0, 0, 0, NULL, NULL, NULL),
    (0, 4, 'datatype', NULL, NULL, NULL, 3, 201, 3000, 0, 0, 0, NULL, NULL, NULL),
    (0, 5, 'window', '', 'program', 2, 8, 201, 4000, 0, 0, 0, 9, 201, 8000),
    (0, 6, 'datatype', NULL, NULL, 4, 11, NULL, 5000, 1, 0, 0, NULL, NULL, NULL),
    (0, 7, 'file', NULL, NULL, NULL, NULL, NULL, 6000, 0, 0, 1, NULL, NULL, NULL),
    (0, 8, 'datatype', 'column', 'program', NULL, 3, 201, 6500, 0, 0, 0, 14, 201, 7000),
    (1, 1, 'communicator', 'MPI_COMM_WORLD', 'mpi', NULL, NULL, NULL, -350, 0, 1, 0, NULL, NULL, NULL),
    (1, 2, 'datatype', NULL, NULL, NULL, 3, 201, 700, 0, 0, 0, NULL, NULL, NULL),
    (1, 3, 'communicator', 'rows', 'program', 1, 1, 202, 900, 0, 0, 0, NULL, NULL, NULL);
UPDATE object SET uid = 700 WHERE name = 'MPI_COMM_WORLD';
UPDATE object SET uid = 702 WHERE kind = 'communicator' AND name = 'rows';
UPDATE object SET detail = '{"color":1,"key":0}' WHERE name = 'rows';
INSERT INTO naming (rank, object, at_ns, name, origin, rule, site) VALUES
    (0, 1, -100, 'MPI_COMM_WORLD', 'mpi', NULL, NULL), (0, 2, 1100, 'lines', 'program', NULL, 203),
    (0, 2, 1200, 'rows', 'program', NULL, 203), (1, 3, 950, 'rows', 'program', NULL, 203), (0, 5, 4100, '', 'program', NULL, NULL);
INSERT INTO naming (rank, object, at_ns, origin, site, kind, error) VALUES
    (0, 0, 4200, 'program', 203, 'window', 'MPI_ERR_WIN'), (0, 2, 4300, 'program', 203, 'communicator', 'MPI_ERR_ARG');
INSERT INTO communicator (rank, object, size, own_rank, members, topology) VALUES
    (0, 1, 2, 0, '0-1', 'none'), (0, 2, 2, 0, '0-1', 'cart'), (0, 3, 2, 0, '0-1', 'none'), (1, 1, 2, 1, NULL, 'none'),
    (1, 3, 2, 1, NULL, 'cart');

INSERT INTO keyval VALUES (0, 'communicator', 10, 'MPI_TAG_UB', NULL, NULL, 0, 1), (0, 'communicator', 11, NULL, 12, 202, 0, 2);
INSERT INTO attribute (rank, object, kind, keyval, operation, found, value_kind, value, error, site, calls, first_ns, last_ns) VALUES
    (0, 1, 'communicator', 10, 'get', 1, 'integer', 32767, NULL, 203, 4, 100, 400), (0, 2, NULL, 11, 'get', 0, 'none', 0, NULL, 0, 1, 500, 500),
    (0, 2, NULL, 11, 'set', 1, 'address', 140000, NULL, 203, 2, 600, 700), (0, 2, NULL, 12, 'get', 1, 'many', 0, NULL, 203, 9, 800, 900),
    (0, 1, 'communicator', 13, 'survey', 1, 'integer', -2, NULL, 0, 1, 10, 10), (0, 1, 'communicator', 14, 'survey', 1, 'integer', 0, NULL, 0, 1, 11, 11),
    (0, 1, 'communicator', 15, 'survey', 0, 'none', 0, NULL, 0, 1, 12, 12), (0, 0, 'communicator', 10, 'free', 0, 'error', 48, 'MPI_ERR_KEYVAL', 203, 1, 950, 950),
    (0, 2, 'communicator', 11, 'delete', 0, 'error', 9999, 'code 9999', 203, 3, 960, 980),
    (0, 3, 'communicator', 11, 'copy', 1, 'address', 140000, NULL, 203, 1, 2000, 2000), (0, 3, 'communicator', 12, 'copy', 0, 'none', 0, NULL, 203, 1, 2001, 2001);
INSERT INTO keyval (rank, kind, keyval, name, created) VALUES
    (0, 'communicator', 13, 'MPI_IO', 1), (0, 'communicator', 14, 'MPI_WTIME_IS_GLOBAL', 1), (0, 'communicator', 15, 'MPI_APPNUM', 1);
INSERT INTO meta VALUES (0, 'constant.MPI_PROC_NULL', '-1'), (0, 'constant.MPI_ANY_SOURCE', '-2');

INSERT INTO comparison VALUES
    (0, 'communicator', 1, 2, 'MPI_CONGRUENT', 203, 3, 100, 400), (0, 'communicator', 2, 3, 'MPI_SIMILAR', 0, 1, 500, 500),
    (1, 'group', 0, 0, 'MPI_IDENT', 201, 2, 600, 700), (1, 'communicator', 3, 1, 'MPI_UNEQUAL', 201, 1, 800, 800);

INSERT INTO exclusion VALUES (1, 950, 1, 1, 2, 9002, 202), (1, 960, NULL, 1, NULL, NULL, NULL);
UPDATE object SET family = 9002 WHERE name = 'rows' AND rank = 0;
INSERT INTO pending_request VALUES (0, 2, 5, 203, 3), (0, 2, NULL, NULL, 1);

INSERT INTO placement (rank, at_ns, thread, reason, processor_name, cpu, allowed_cpus, move, site, calls, last_ns) VALUES
    (0, -50, 0, 'start', 'node7.cluster', 2, '0-3', NULL, NULL, NULL, NULL), (0, 100, 0, 'asked', 'node7.cluster', NULL, NULL, NULL, 203, 3, 900),
    (0, 150, 1, 'asked', 'node7.cluster', NULL, NULL, NULL, 203, 2, 700), (0, 150, 0, 'asked', 'node7.cluster', NULL, NULL, NULL, NULL, 1, 150),
    (0, 200, 0, 'moved', NULL, 10, NULL, 1, NULL, NULL, NULL), (0, 300, 0, 'moved', NULL, 2, NULL, 2, NULL, NULL, NULL),
    (0, 2000000000, 0, 'end', NULL, 3, '0-3', NULL, NULL, NULL, NULL), (1, -300, 0, 'start', 'node8.cluster', NULL, NULL, NULL, NULL, NULL, NULL);
-- Rank 0 may run on two cores of two processors each in the first of two packages; of rank 1 only the processor is known.
INSERT INTO processor VALUES (0, 2, 1, 0, 0, '2-3', '0-3'), (0, 10, 1, 1, 1, '10-11', '8-11'), (1, 5, NULL, NULL, NULL, NULL, NULL);
INSERT INTO thread_processor VALUES (0, 0, 2, 40, 1, -20, 1999000000), (0, 0, 10, 10, 1, 200, 299), (0, 1, 2, 11, 0, 150, 700), (1, 0, 5, 12, 0, -150, 999999750);
INSERT INTO meta VALUES (0, 'cpus_online', '0-3,8-11'), (0, 'memory_policy', 'bind 1'), (0, 'memory_nodes', '0-1'), (0, 'cpu_quota', '1.5'),
    (1, 'memory_policy', 'default');
INSERT INTO pcontrol VALUES (0, 50, 0), (0, 60, 1);

INSERT INTO profile VALUES
    (0, 0, 0, 6, 201, 0, 1, 50000000, 50000000, 50000000, 0, 0), (0, 0, 0, 13, 201, 0, 10, 0, 0, 0, 0, 0),
    (0, 1, 0, 10, 201, 4, 20, 200000000, 1000000, 50000000, 160, 160), (0, 2, 0, 4, 203, 11, 10, 100000000, 9000000, 11000000, 10240, 0),
    (0, 2, 0, 4, 203, 12, 10, 100000000, 9500000, 12000000, 20480, 0), (0, 3, 0, 10, 0, 4, 10, 50000000, 5000000, 5000000, 80, 80),
    (0, 2, 5, 9, 201, 0, 1, 0, 0, 0, 0, 0),
    (1, 1, 0, 10, 201, 4, 1, 50000000, 50000000, 50000000, 8, 8), (1, 3, 0, 5, 203, 11, 10, 150000000, 10000000, 30000000, 0, 10240),
    (1, 3, 0, 4, 204, 12, 0, 50000000, NULL, NULL, 2048, 0);
