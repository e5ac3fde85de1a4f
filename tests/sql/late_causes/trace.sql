-- Four ranks of node7 on "ring": rank 2 is late to MPI_Allreduce, because it waits for a core in the code before it.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Init', 'lifecycle'), (2, 'MPI_Finalize', 'lifecycle'), (3, 'MPI_Allreduce', 'collective'),
    (4, 'MPI_Waitall', 'completion'), (5, 'MPI_Recv', 'point-to-point'), (6, 'MPI_Send', 'point-to-point'), (7, 'MPI_Type_commit', 'datatype');
INSERT INTO process (rank, world_size, node, outcome, clock_offset_ns, began_ns, last_seen_ns, threads, calls, mpi_ns, lost, damaged, run_hash)
SELECT column1, 4, 'node7', 'finalized', 0, 0, 3000000000, 1, 400, 1500000000, 0, 0, 1 FROM (VALUES (0), (1), (2), (3));
INSERT INTO object (rank, object, kind, name, name_origin, uid, internal, predefined, adopted)
SELECT rank, 1, 'communicator', 'ring', 'program', 101, 0, 0, 0 FROM process;
INSERT INTO communicator (rank, object, size, own_rank, members, topology) SELECT rank, 1, 4, rank, '0-3', 'none' FROM process;
INSERT INTO module (module, path) VALUES (1, '/opt/heat');
-- Sites 3 and 6 are on one line.
INSERT INTO frame (frame, module, offset, function, file, line) VALUES (1, 1, 16, 'main', 'heat.c', 12), (2, 1, 32, 'exchange', 'heat.c', 40),
    (3, 1, 48, 'norm', 'heat.c', 47), (4, 1, 64, 'exchange', 'heat.c', 38), (5, 1, 80, 'main', 'heat.c', 60), (6, 1, 96, 'norm', 'heat.c', 47);
INSERT INTO site (site, frame) SELECT frame, frame FROM frame;
INSERT INTO profile
SELECT rank, 1, 0, 3, 3, 4, 100, CASE rank WHEN 2 THEN 10000000 ELSE 1490000000 + rank * 1000000 END, 1000, 90000000, 0, 0 FROM process;
CREATE TABLE temp.used (rank, from_function, from_site, function, site, time_ns, core_ns, delay_ns, call_ns);
INSERT INTO used SELECT rank, 4, 2, 3, CASE rank WHEN 1 THEN 6 ELSE 3 END, 420000000 + rank, 419000000, 1000000, CASE rank WHEN 2 THEN 10000000 ELSE 1490000000 END FROM process;
INSERT INTO used SELECT rank, 3, 3, 4, 2, 300000000, 290000000, 10000000, 20000000 FROM process;
INSERT INTO used SELECT rank, 1, 1, 5, 4, 100000000, 100000000, 0, 5000000 FROM process;
INSERT INTO used SELECT rank, 3, 3, 2, 5, 5000000000, 100000000, 4900000000, 1000000 FROM process WHERE rank = 2;
UPDATE used SET time_ns = 1900000000, core_ns = 440000000, delay_ns = 1440000000 WHERE rank = 2 AND function = 3;
INSERT INTO stretch (rank, thread, communicator, object, region, from_function, from_site, function, site, stretches, time_ns, min_ns, max_ns, call_ns, seen_ns, exact_ns,
                     core_ns, system_ns, delay_ns, sleeps, switches, minor_faults, major_faults, read_bytes, written_bytes, disk_bytes, others_ns, throttled_ns,
                     steal_ns, call_seen_ns, call_core_ns, call_delay_ns, call_delay_most_ns)
SELECT rank, 0, 1, 0, 0, from_function, from_site, function, site, 100, time_ns, 1000, 90000000, call_ns, time_ns, time_ns / 2, core_ns, 1000000, delay_ns, 3, 40, 10, 0,
       4096, 0, 0, 0, NULL, 0, call_ns, call_ns, 0, min(call_ns, (rank + 1) * 100000000) FROM used;
DROP TABLE used;
-- Rank 3 has lacked a core for less time than its calls may have.
INSERT INTO thread_usage (rank, thread, samples, time_ns, core_ns, system_ns, delay_ns, sleeps, switches, minor_faults, major_faults)
SELECT rank, 0, 60, 3000000000, 1200000000, 10000000, CASE rank WHEN 2 THEN 6400000000 ELSE 270000000 END, 3, 40, 10, 0 FROM process;
INSERT INTO process_usage (rank, user_ns, system_ns, peak_bytes, read_bytes, written_bytes, disk_read_bytes, disk_written_bytes)
SELECT rank, 1000000000, 200000000, 1000000000 + rank * 500000000, 3000000, 5000, 4096, 0 FROM process;
INSERT INTO processor (rank, cpu, core, package) SELECT rank, rank, rank, 0 FROM process;
INSERT INTO thread_processor (rank, thread, cpu, calls, moves, first_ns, last_ns) SELECT rank, 0, rank, 400, 0, 0, 3000000000 FROM process;
INSERT INTO placement (rank, at_ns, thread, reason, cpu, allowed_cpus) SELECT rank, 0, 0, 'start', rank, '0-7' FROM process;
