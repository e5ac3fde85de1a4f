SELECT communicator, names, communicators, objects, percent FROM communicator_time;
