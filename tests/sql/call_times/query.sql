SELECT * FROM call_times;
