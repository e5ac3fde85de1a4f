SELECT * FROM function_time;
