SELECT * FROM run_placement
