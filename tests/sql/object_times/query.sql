SELECT * FROM object_times ORDER BY rank, object, lifecycle;
