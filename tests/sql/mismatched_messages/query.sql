SELECT * FROM mismatched_messages;
