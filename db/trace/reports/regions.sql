-- column region: path of the region; (0-20 % of the run), ...: fifths of the run
-- column ranks: ranks that used it
-- column seconds: time between begin and end, mean of the ranks
-- column communicators: the three communicators, windows or files with the most MPI time
SELECT r.path AS region, r.ranks, r.entries, r.seconds, r.mpi_percent,
       r.imbalance_percent, r.busiest_rank, r.early_ns, r.late_ns, r.early_mpi_percent,
       r.late_mpi_percent,
       (SELECT group_concat(printf('%s %.0f %%', communicator, percent), ', ')
        FROM (SELECT communicator, percent FROM region_communicators c
              WHERE c.region = r.region AND percent >= 1 ORDER BY percent DESC, 1 LIMIT 3)) AS communicators
FROM regions r
UNION ALL
SELECT printf('(%d-%d %% of the run)', fifth * 20 - 20, fifth * 20), v.ranks, NULL, v.seconds, v.mpi_percent,
       v.imbalance_percent, v.busiest_rank, NULL, NULL, NULL, NULL, NULL
FROM fifths v
ORDER BY 1
