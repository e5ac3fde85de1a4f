-- Balance: who waits for whom
-- overview: 5, 6 rows
-- empty: No function in which all members of a communicator, window or file wait was recorded.
-- drop: mean_seconds, size, most_seconds, waiting_percent
-- Functions in which every member waits for all the others: who spends the least time there comes last, the latest. least, mean, most: of
-- one rank, all its calls; waiting: what the ranks together spend beyond the least.
SELECT communicator || CASE WHEN communicators > 1 THEN ' and ' || (communicators - 1) || ' more' ELSE '' END
       || CASE WHEN kind IN ('window', 'file') AND communicator NOT GLOB '(*' THEN ' (' || kind || ')' ELSE '' END AS communicator, size, function,
       least_seconds, mean_seconds, most_seconds, latest_rank AS latest, waiting_seconds, waiting_percent
FROM balance WHERE latest_rank IS NOT NULL
