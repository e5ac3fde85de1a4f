SELECT * FROM waits;
