SELECT * FROM objects ORDER BY rank, object;
