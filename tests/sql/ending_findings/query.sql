SELECT * FROM ending_findings;
