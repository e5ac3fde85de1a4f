-- Three ranks that ran 10 s. Ranks 0 and 1 wait 6 s each for requests by MPI_Test on line 11, with short pauses. Rank 2 tests on line 12 after each part
-- of its work, and half of its tests find something: that is no waiting. So is MPI_Waitall.
INSERT INTO function (function, name, class, waits, request_act) VALUES (3, 'MPI_Test', 'completion', NULL, 'complete-one'),
    (4, 'MPI_Waitall', 'completion', 'all-requests', 'complete-all');
INSERT INTO process (rank, world_size, outcome, clock_offset_ns, threads, calls, mpi_ns, lost, damaged, run_hash, began_ns, last_seen_ns)
SELECT column1, 3, 'finalized', 0, 1, 400, 3000000000, 0, 0, 1, 0, 10000000000 FROM (VALUES (0), (1), (2));
INSERT INTO profile SELECT rank, 0, 0, 3, 11, 0, 1000000, 2000000000, 100, 9000, 0, 0 FROM process WHERE rank < 2;
INSERT INTO profile SELECT rank, 0, 0, 3, 11, 1, 20, 10000, 100, 9000, 0, 0 FROM process WHERE rank < 2;
INSERT INTO profile VALUES (2, 0, 0, 3, 12, 0, 100, 3000000000, 100, 9000, 0, 0), (2, 0, 0, 3, 12, 1, 100, 3000000000, 100, 9000, 0, 0),
    (2, 0, 0, 4, 13, 0, 100, 3000000000, 100, 9000, 0, 0);
INSERT INTO stretch (rank, thread, communicator, object, region, from_function, from_site, function, site, stretches, time_ns, call_ns, seen_ns, exact_ns, core_ns,
                     system_ns, sleeps, switches, minor_faults, major_faults, read_bytes, written_bytes, disk_bytes, others_ns, steal_ns, call_seen_ns, call_core_ns)
SELECT rank, 0, 0, 0, 0, 3, 11, 3, 11, 1000000, 4000000000, 2000000000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM process WHERE rank < 2;
