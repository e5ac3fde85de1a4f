SELECT * FROM exclusions ORDER BY rank, at_ns;
