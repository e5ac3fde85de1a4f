SELECT * FROM mismatched_calls ORDER BY id, number;
