SELECT * FROM core_findings;
