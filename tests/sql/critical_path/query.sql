SELECT * FROM critical_path;
