SELECT * FROM forecast_rows;
