SELECT * FROM rules;
