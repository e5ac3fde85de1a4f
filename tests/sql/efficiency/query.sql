SELECT * FROM efficiency;
