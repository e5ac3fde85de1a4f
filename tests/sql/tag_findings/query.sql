SELECT * FROM tag_findings
