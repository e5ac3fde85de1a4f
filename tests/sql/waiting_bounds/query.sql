-- Ranks 0, 1 and 3 may have lacked a core for 0.1, 0.2 and 0.27 s in MPI_Allreduce.
SELECT function, latest_rank, seconds, least_seconds, waiting_least_seconds, waiting_seconds, waiting_most_seconds FROM balance WHERE latest_rank IS NOT NULL;
