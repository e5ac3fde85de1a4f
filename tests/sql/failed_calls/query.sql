SELECT * FROM failed_calls;
