SELECT * FROM time_findings;
