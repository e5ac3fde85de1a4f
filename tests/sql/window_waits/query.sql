SELECT * FROM window_waits ORDER BY start_ns, rank;
