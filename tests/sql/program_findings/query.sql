SELECT * FROM program_findings;
