SELECT * FROM share_findings;
