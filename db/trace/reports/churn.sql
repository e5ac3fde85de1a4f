-- Objects created and freed again, by call site
-- empty: The program freed no MPI object.
-- drop: freed, ranks, creating_ns, freeing_ns, kind, lifetime_ns
-- The fastest first. per_second: by one rank; lifetime: the mean, from creation to free; creating and freeing: time
-- in the calls, all ranks together.
SELECT kind, created_by, site, ranks, created, freed, CAST(printf('%.3g', per_second) AS REAL) AS per_second, mean_lifetime_ns AS lifetime_ns,
       creating_seconds * 1e9 AS creating_ns, freeing_seconds * 1e9 AS freeing_ns
FROM churn
