SELECT * FROM keyvals ORDER BY object;
