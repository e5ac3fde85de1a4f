SELECT * FROM communicator_time;
