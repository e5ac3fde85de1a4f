SELECT * FROM wait_findings;
