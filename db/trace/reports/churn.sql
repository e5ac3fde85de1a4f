-- Objects made and freed again, by the place of the call
-- empty: The program freed no MPI object.
-- The fastest first. per_second: by one rank; life: from birth to free; making and freeing: time spent in the calls, all ranks together.
SELECT kind, made_by, site, ranks, made, freed, CAST(printf('%.3g', per_second) AS REAL) AS per_second, mean_life_ns AS life_ns,
       making_seconds * 1e9 AS making_ns, freeing_seconds * 1e9 AS freeing_ns
FROM churn
