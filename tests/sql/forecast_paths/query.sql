SELECT * FROM forecast_paths;
