SELECT * FROM stretch_fifths ORDER BY rank, from_site, site, fifth;
