-- Eight ranks on four nodes repeat two pieces of code; node2 needs 12 % longer for both. Rank 0 has had other processes on its core, so that its mean is long,
-- and its shortest repetition is not. Rank 7 has a long first repetition. Code at 5 takes longer on one node, but not all ranks have it.
INSERT INTO function (function, name, class) VALUES (3, 'MPI_Allreduce', 'collective'), (4, 'MPI_Waitall', 'completion');
INSERT INTO process (rank, world_size, node, outcome, clock_offset_ns, began_ns, last_seen_ns, threads, calls, mpi_ns, lost, damaged, run_hash)
SELECT column1, 8, 'node' || (column1 / 2), 'finalized', 0, 0, 4000000000, 1, 400, 1500000000, 0, 0, 1 FROM (VALUES (0), (1), (2), (3), (4), (5), (6), (7));
INSERT INTO processor (rank, cpu, core, package) SELECT rank, rank % 2, rank % 2, 0 FROM process;
INSERT INTO thread_processor (rank, thread, cpu, calls, moves, first_ns, last_ns) SELECT rank, 0, rank % 2, 400, 0, 0, 3000000000 FROM process;
CREATE TABLE temp.used (rank, site, stretches, mean_us, min_us, max_us, core_us);
INSERT INTO used SELECT rank, 3, 100, 5100 * s + 10 * rank, 5000 * s + 10 * rank, 9000, 5000 * s + 20 FROM (SELECT rank, iif(node = 'node2', 1.12, 1.0) AS s FROM process);
INSERT INTO used SELECT rank, 4, 200, 2600 * s, 2500 * s, 4000, 2500 * s + 20 FROM (SELECT rank, iif(node = 'node2', 1.12, 1.0) AS s FROM process);
INSERT INTO used SELECT rank, 5, 100, iif(rank < 2, 9000, 5000), iif(rank < 2, 9000, 5000), 9000, 5000 FROM process WHERE rank <> 5;
UPDATE used SET mean_us = 7000 WHERE rank = 0 AND site = 3;
UPDATE used SET mean_us = mean_us + 900, max_us = 95000 WHERE rank = 7 AND site = 3;
INSERT INTO stretch (rank, thread, communicator, object, region, from_function, from_site, function, site, stretches, time_ns, min_ns, max_ns, call_ns, seen_ns, exact_ns,
                     core_ns, system_ns, delay_ns, sleeps, switches, minor_faults, major_faults, read_bytes, written_bytes, disk_bytes, others_ns, throttled_ns,
                     steal_ns, call_seen_ns, call_core_ns, call_delay_ns, call_delay_most_ns)
SELECT rank, 0, 1, 0, 0, 4, 2, 3, site, stretches, stretches * mean_us * 1000, min_us * 1000, max_us * 1000, 0, stretches * mean_us * 1000, 0, stretches * core_us * 1000,
       0, stretches * (mean_us - core_us) * 1000, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, 0, 0, 0, 0 FROM used;
DROP TABLE used;
