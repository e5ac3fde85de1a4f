SELECT * FROM message_pairs ORDER BY source, dest, tag, nth
