SELECT * FROM hidden_deadlocks;
