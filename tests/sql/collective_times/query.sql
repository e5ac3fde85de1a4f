SELECT * FROM collective_times;
