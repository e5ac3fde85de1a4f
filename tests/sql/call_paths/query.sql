SELECT * FROM call_paths;
