SELECT * FROM clock_contradictions ORDER BY nth;
