SELECT * FROM charged_sites ORDER BY 1, 2;
