SELECT * FROM stacks ORDER BY site, depth;
