SELECT communicator, parent, ranks, objects, calls, seconds, percent FROM communicator_time;
