SELECT * FROM talk;
