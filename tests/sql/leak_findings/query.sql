SELECT * FROM leak_findings;
