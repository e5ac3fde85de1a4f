SELECT * FROM exclusions ORDER BY rank;
