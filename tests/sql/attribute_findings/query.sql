SELECT * FROM attribute_findings;
