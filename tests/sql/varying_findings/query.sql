SELECT * FROM varying_findings;
