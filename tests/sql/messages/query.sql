SELECT * FROM messages;
