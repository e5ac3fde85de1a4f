SELECT * FROM window_parts ORDER BY id, rank;
