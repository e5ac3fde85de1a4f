SELECT * FROM overlong_messages;
