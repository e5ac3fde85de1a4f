SELECT * FROM bypassed_objects ORDER BY id;
