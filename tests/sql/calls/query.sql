SELECT * FROM calls ORDER BY rank, object, function, size_class;
