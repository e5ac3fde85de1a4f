SELECT * FROM growth;
