SELECT * FROM unnamed;
