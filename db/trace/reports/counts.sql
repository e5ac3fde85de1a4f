-- Objects made, freed and left
-- overview: 7, 12 rows
-- empty: The program made no MPI objects.
-- By the program, all ranks together.
SELECT kind, made_by, ranks, made, freed, remaining AS "left" FROM object_counts ORDER BY remaining DESC, made DESC
