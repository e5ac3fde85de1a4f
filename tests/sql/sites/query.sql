SELECT * FROM sites ORDER BY site;
