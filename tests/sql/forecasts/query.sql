SELECT * FROM forecasts;
