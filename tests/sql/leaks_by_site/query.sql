SELECT * FROM leaks_by_site;
