SELECT * FROM mismatches;
