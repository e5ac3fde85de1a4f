SELECT * FROM growing_findings;
