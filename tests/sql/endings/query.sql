SELECT * FROM endings;
