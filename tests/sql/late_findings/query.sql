SELECT * FROM late_findings;
