-- One row for each rank.
SELECT rank, node, outcome, last_call, last_communicator, seconds, mpi_seconds, mpi_percent, lifecycle_percent,
       other_percent, calls, lost, damaged
FROM processes WHERE rank >= 0 ORDER BY rank
