SELECT * FROM largest_tag
