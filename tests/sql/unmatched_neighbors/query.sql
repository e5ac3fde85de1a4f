SELECT * FROM unmatched_neighbors ORDER BY 1, 2, 4;
