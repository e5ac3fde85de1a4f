SELECT * FROM noise;
