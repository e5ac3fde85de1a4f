SELECT * FROM slow_findings;
