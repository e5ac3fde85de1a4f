SELECT * FROM core_wait_findings;
