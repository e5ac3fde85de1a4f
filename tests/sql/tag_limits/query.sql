SELECT * FROM tag_limits ORDER BY largest_tag;
