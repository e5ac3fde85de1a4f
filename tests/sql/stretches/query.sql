SELECT * FROM stretches;
