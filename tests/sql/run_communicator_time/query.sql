SELECT * FROM run_communicator_time;
