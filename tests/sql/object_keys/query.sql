SELECT * FROM object_keys ORDER BY object_key;
