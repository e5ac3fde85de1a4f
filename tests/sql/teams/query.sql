SELECT * FROM teams;
