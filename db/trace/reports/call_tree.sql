-- imbalance: how far the mean of all ranks is below the busiest rank, as in the load balance of an efficiency.
-- column call: functions of the program, from the outermost to the MPI function; a row has all calls below it
-- column ranks: ranks that made such calls
-- column calls: how many returned
-- column open: calls that have not returned
-- column time_ns: time in these calls, all ranks together
-- column percent: share of the MPI time
-- column imbalance_percent: how far the mean of all ranks is below the rank with the most time
-- column most_rank: rank with the most time
-- column sent_bytes: bytes that the program passed to the MPI
-- column received_bytes: bytes that the program got from the MPI
SELECT call, depth, path, call_tree.ranks, calls, nullif(open, 0) AS open, time_ns,
       CASE WHEN NOT lifecycle THEN time_ns * 100.0 / nullif(sum(time_ns) FILTER (WHERE depth = 0
                 AND NOT lifecycle) OVER (), 0) END AS percent,
       CASE WHEN world.ranks > 1 AND most_ns > 0 THEN 100 - time_ns * 100.0 / most_ns / world.ranks END
           AS imbalance_percent,
       most_rank, sent_bytes, received_bytes
FROM call_tree, world ORDER BY line
