SELECT * FROM bindings ORDER BY rank
