SELECT * FROM names ORDER BY rank, at_ns;
