SELECT * FROM communicators;
