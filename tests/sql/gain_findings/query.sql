SELECT * FROM gain_findings;
