SELECT * FROM call_sites;
