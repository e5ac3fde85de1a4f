SELECT * FROM site_paths;
