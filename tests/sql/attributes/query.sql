SELECT * FROM attributes ORDER BY first_ns;
