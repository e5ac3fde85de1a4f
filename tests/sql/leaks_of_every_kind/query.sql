SELECT object, kind, created_by FROM leaks ORDER BY object;
