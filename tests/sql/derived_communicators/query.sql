SELECT communicator, names, parent, ranks, objects, calls, seconds FROM communicator_time;
