SELECT kind, rank, communicator, cause, (SELECT rank FROM late_ranks) AS late FROM late_causes;
