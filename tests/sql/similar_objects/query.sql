SELECT * FROM similar_objects ORDER BY rank, object;
