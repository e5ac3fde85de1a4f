SELECT * FROM late_messages
