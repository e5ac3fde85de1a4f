SELECT * FROM leaks ORDER BY rank, object;
