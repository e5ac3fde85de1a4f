SELECT programs, mpi, ranks, unfinished,
       coalesce((SELECT max(world_size) FROM process) > ranks, 0),
       (SELECT sum(lost) + sum(damaged) FROM process),
       (SELECT min(zero_utc_ns + began_ns) FROM process)
FROM run_summary
