SELECT * FROM stretch_resources;
