SELECT * FROM traffic_pairs;
