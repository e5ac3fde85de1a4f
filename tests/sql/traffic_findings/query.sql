SELECT * FROM traffic_findings;
