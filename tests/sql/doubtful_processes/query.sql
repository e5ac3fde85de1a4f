SELECT * FROM doubtful_processes ORDER BY rank;
