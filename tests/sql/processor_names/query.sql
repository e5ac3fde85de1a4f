SELECT * FROM processor_names ORDER BY rank, site
