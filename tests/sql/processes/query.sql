SELECT * FROM processes ORDER BY rank;
