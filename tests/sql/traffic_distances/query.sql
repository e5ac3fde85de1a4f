SELECT * FROM traffic_distances ORDER BY communicator, communicator_uid, transfer, partner, distance;
