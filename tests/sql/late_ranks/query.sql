SELECT * FROM late_ranks;
