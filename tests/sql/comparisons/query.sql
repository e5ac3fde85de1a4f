SELECT * FROM comparisons ORDER BY rank, first_ns;
