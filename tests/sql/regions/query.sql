SELECT * FROM regions;
