SELECT * FROM traffic_differences;
