SELECT * FROM mismatched_tags ORDER BY 1, 2, 3;
