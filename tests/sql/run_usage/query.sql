SELECT * FROM run_usage;
