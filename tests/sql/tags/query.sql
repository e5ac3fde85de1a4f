SELECT * FROM tags;
