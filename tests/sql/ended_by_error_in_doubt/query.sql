SELECT * FROM ended_by_error;
