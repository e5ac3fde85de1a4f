SELECT * FROM calls ORDER BY rank, communicator_object, object, function;
