SELECT * FROM alike ORDER BY rank, object;
