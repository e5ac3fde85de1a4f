SELECT * FROM uneven_objects ORDER BY id;
