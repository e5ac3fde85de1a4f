SELECT * FROM unmatched_layers ORDER BY 1;
