SELECT * FROM message_size_halves;
