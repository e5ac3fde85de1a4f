-- Objects created and freed
-- overview: 7, 12 rows
-- empty: The program created no MPI objects.
-- drop: ranks
-- By the program, all ranks together.
SELECT kind, created_by, ranks, created, freed, not_freed FROM object_counts ORDER BY not_freed DESC, created DESC
