SELECT * FROM missing_calls ORDER BY id;
