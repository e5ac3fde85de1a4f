SELECT kind, created_by, ranks, created, freed, not_freed FROM object_counts
ORDER BY not_freed DESC, created DESC
