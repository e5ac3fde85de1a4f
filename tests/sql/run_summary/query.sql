SELECT * FROM run_summary;
