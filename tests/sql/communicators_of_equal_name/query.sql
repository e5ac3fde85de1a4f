SELECT communicator, number, row_name, names, communicators, objects, percent FROM communicator_time;
