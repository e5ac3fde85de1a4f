SELECT * FROM forecast_facts;
