SELECT * FROM clocks ORDER BY node;
