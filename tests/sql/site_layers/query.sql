SELECT * FROM site_layers ORDER BY 1, 2, 4;
