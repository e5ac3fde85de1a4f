-- One row for each rank. convert_seconds: how much longer MPI_Finalize took to write the trace. The last five as in
-- rank_usage.
SELECT p.rank, p.node, p.outcome, p.last_call, p.last_communicator, p.seconds, p.mpi_seconds, p.mpi_percent,
       p.lifecycle_percent, p.other_percent, p.calls, p.lost, p.damaged, r.convert_ns / 1e9 AS convert_seconds,
       u.outside_seconds, u.seen_percent, u.core_seconds, u.delay_seconds, u.off_seconds
FROM processes p JOIN process r ON r.rank = p.rank LEFT JOIN rank_usage u ON u.rank = p.rank
WHERE p.rank >= 0 ORDER BY p.rank
