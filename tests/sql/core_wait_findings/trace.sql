-- Four ranks on two cores spend nearly all of their time in MPI, where they poll and lack cores.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Init', 'lifecycle'), (3, 'MPI_Allreduce', 'collective');
INSERT INTO process (rank, world_size, node, outcome, clock_offset_ns, began_ns, last_seen_ns, threads, calls, mpi_ns, lost, damaged, run_hash)
SELECT column1, 4, 'node7', 'finalized', 0, 0, 2000000000, 1, 8, 1900000000, 0, 0, 1 FROM (VALUES (0), (1), (2), (3));
CREATE TABLE temp.lack (rank, ns);
INSERT INTO lack VALUES (0, 1000000000), (1, 1000000000), (2, 1100000000), (3, 900000000);
INSERT INTO stretch (rank, thread, communicator, object, region, from_function, from_site, function, site, stretches, time_ns, min_ns, max_ns, call_ns, seen_ns, exact_ns,
                     core_ns, system_ns, delay_ns, sleeps, switches, minor_faults, major_faults, read_bytes, written_bytes, disk_bytes, others_ns, throttled_ns,
                     steal_ns, call_seen_ns, call_core_ns, call_delay_ns, call_delay_most_ns)
SELECT rank, 0, 1, 0, 0, 0, 0, 3, 0, 4, 100000000, 20000000, 30000000, 1900000000, 100000000, 100000000, 50000000, 1000000, 50000000, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0,
       1900000000, 1000000, ns - 50000000, ns - 50000000 FROM lack;
INSERT INTO thread_usage (rank, thread, samples, time_ns, core_ns, system_ns, delay_ns, sleeps, switches, minor_faults, major_faults)
SELECT rank, 0, 40, 2000000000, 2000000000 - ns, 10000000, ns, 3, 40, 10, 0 FROM lack;
INSERT INTO process_usage (rank, user_ns, system_ns, peak_bytes) SELECT rank, 2000000000 - ns, 0, 1000000000 FROM lack;
INSERT INTO placement (rank, at_ns, thread, reason, cpu, allowed_cpus) SELECT rank, 0, 0, 'start', rank % 2, '0-1' FROM process;
DROP TABLE lack;
