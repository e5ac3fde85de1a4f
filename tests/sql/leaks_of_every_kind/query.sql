SELECT object, kind, made_by FROM leaks ORDER BY object;
