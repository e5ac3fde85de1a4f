SELECT * FROM late_causes;
