SELECT * FROM message_sizes;
