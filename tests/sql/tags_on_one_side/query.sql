SELECT * FROM tags_on_one_side ORDER BY communicator, direction DESC, tag;
