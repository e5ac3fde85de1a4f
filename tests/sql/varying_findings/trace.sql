-- Four ranks for 4 s. Code that ends at site 3 varies on all of them. Look-alikes: at 4, rank 2 is slow each time; at 5, the first repetition is long; at 6,
-- rank 1 varies alone; at 7, repetitions are few; at 8, little time is spent; at 9, rank 3 has no such code; at 10, ranks wait for a core; at 11, work
-- is of several kinds.
INSERT INTO function (function, name, class) VALUES (3, 'MPI_Allreduce', 'collective'), (4, 'MPI_Waitall', 'completion');
INSERT INTO process (rank, world_size, node, outcome, clock_offset_ns, began_ns, last_seen_ns, threads, calls, mpi_ns, lost, damaged, run_hash)
SELECT column1, 4, 'node7', 'finalized', 0, 0, 4000000000, 1, 400, 1500000000, 0, 0, 1 FROM (VALUES (0), (1), (2), (3));
INSERT INTO module (module, path) VALUES (1, '/opt/heat');
INSERT INTO frame (frame, module, offset, function, file, line) SELECT column1, 1, 16 * column1, 'step', 'heat.c', 40 + column1
FROM (VALUES (2), (3), (4), (5), (6), (7), (8), (9), (10), (11));
INSERT INTO site (site, frame) SELECT frame, frame FROM frame;
CREATE TABLE temp.used (rank, site, stretches, mean_us, min_us, max_us);
INSERT INTO used SELECT rank, 3, 100, 5000 + 100 * rank, 2000, 9000 + rank FROM process;
INSERT INTO used SELECT rank, 4, 100, iif(rank = 2, 9900, 5000), iif(rank = 2, 9800, 4900), iif(rank = 2, 10000, 5100) FROM process;
INSERT INTO used SELECT rank, 5, 100, 5900, 5000, 95000 FROM process;
INSERT INTO used SELECT rank, 6, 100, 5000, iif(rank = 1, 2000, 4900), iif(rank = 1, 9000, 5100) FROM process;
INSERT INTO used SELECT rank, 7, 10, 50000, 20000, 90000 FROM process;
INSERT INTO used SELECT rank, 8, 100, 50, 20, 90 FROM process;
INSERT INTO used SELECT rank, 10, 100, 5000, 2000, 9000 FROM process;
INSERT INTO used SELECT rank, 9, 100, 5000, 2000, 9000 FROM process WHERE rank < 3;
INSERT INTO used SELECT rank, 11, 100, 5000, 400, 9000 FROM process;
INSERT INTO stretch (rank, thread, communicator, object, region, from_function, from_site, function, site, stretches, time_ns, min_ns, max_ns, call_ns, seen_ns, exact_ns,
                     core_ns, system_ns, delay_ns, sleeps, switches, minor_faults, major_faults, read_bytes, written_bytes, disk_bytes, others_ns, throttled_ns,
                     steal_ns, call_seen_ns, call_core_ns, call_delay_ns, call_delay_most_ns)
SELECT rank, 0, 1, 0, 0, 4, 2, 3, site, stretches, stretches * mean_us * 1000, min_us * 1000, max_us * 1000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, 0,
       0, 0, 0 FROM used;
UPDATE stretch SET seen_ns = time_ns / 2, delay_ns = time_ns / 4 WHERE site = 10;
