SELECT * FROM placement_findings
