SELECT * FROM balance;
