SELECT * FROM message_findings ORDER BY 1, 2, 3;
