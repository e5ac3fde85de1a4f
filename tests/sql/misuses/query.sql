SELECT * FROM misuses;
