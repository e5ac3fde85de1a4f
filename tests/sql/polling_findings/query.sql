SELECT * FROM polling_findings;
