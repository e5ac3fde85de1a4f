SELECT * FROM placements ORDER BY rank;
