SELECT * FROM communicator_nodes ORDER BY id
