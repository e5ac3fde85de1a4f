SELECT * FROM bypassing_processes ORDER BY rank;
