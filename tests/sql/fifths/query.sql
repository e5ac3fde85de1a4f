SELECT * FROM fifths;
