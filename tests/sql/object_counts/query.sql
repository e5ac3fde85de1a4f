SELECT * FROM object_counts;
