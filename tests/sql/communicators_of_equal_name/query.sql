SELECT communicator, number, names, communicators, objects, percent FROM communicator_time;
