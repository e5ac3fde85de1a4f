SELECT * FROM libraries ORDER BY site;
