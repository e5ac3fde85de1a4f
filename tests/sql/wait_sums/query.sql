SELECT * FROM wait_sums;
