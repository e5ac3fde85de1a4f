-- What a rank creates once and frees, such as a communicator for the whole run, is no churn.
-- column creating_ns: time in the calls that created them, all ranks together
-- column freeing_ns: time in the calls that freed them, all ranks together
SELECT kind, created_by, site, ranks, created, freed,
       CAST(printf('%.3g', per_second) AS REAL) AS per_second, mean_lifetime_ns AS lifetime_ns,
       creating_seconds * 1e9 AS creating_ns, freeing_seconds * 1e9 AS freeing_ns
FROM churn WHERE created > ranks
