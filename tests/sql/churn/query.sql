SELECT * FROM churn;
