SELECT * FROM program_objects ORDER BY rank, object;
