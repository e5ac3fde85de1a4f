SELECT * FROM threads ORDER BY rank, thread;
