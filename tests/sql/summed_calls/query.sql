SELECT * FROM summed_calls ORDER BY rank, communicator, object, function, site, size_class;
