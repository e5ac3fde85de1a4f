SELECT * FROM asked_layers ORDER BY 1;
