SELECT * FROM messages ORDER BY source, dest, tag, nth
