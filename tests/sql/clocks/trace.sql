-- A merged run. Ranks 0 and 1 on "a", whose clock is everybody's; 2 and 3 on "b", two seconds ahead; 4 on "c", which nothing bounds; 5, without
-- a rank of its own, on "d", whose bounds contradict each other.
INSERT INTO process (rank, node, zero_utc_ns, clock_offset_ns, clock_drift_ppb, clock_error_ns, clock_contradiction_ns, outcome, threads, calls, mpi_ns, lost,
                     damaged) VALUES
    (0, 'a', 5000000000, 0, 0, 0, NULL, 'finalized', 1, 1, 1, 0, 0),
    (1, 'a', 5000000000, 100, 0, 0, NULL, 'finalized', 1, 1, 1, 0, 0),
    (2, 'b', 7000000000, -1999000000, -50000, 80000, NULL, 'finalized', 1, 1, 1, 0, 0),
    (3, 'b', 7000000000, -1998000000, -50000, 80000, NULL, 'finalized', 1, 1, 1, 0, 0),
    (4, 'c', 5000000000, 400, 0, NULL, NULL, 'finalized', 1, 1, 1, 0, 0),
    (-99, 'd', 4999000000, 1000400, 10, 3000000, 2500000, 'died', 1, 1, 1, 0, 0);
INSERT INTO synchronization VALUES (0, 1, 1, 10, 20), (0, 1, 2, 30, 40), (1, 1, 1, 11, 20), (2, 1, 1, 10, 21), (-99, 1, 1, 5, 6);
