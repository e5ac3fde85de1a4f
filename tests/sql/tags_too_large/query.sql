SELECT * FROM tags_too_large;
