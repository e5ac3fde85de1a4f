SELECT * FROM run_communicators ORDER BY rank, object;
