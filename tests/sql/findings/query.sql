SELECT * FROM findings;
