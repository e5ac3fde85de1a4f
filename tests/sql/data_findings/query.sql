SELECT * FROM data_findings;
