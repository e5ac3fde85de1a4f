SELECT * FROM mismatched_ranges ORDER BY id;
