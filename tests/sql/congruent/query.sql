SELECT * FROM congruent ORDER BY communicator;
