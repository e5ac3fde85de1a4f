SELECT * FROM labels ORDER BY rank, object;
