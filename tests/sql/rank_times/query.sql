SELECT * FROM rank_times ORDER BY rank, communicator, object, function;
