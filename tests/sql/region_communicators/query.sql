SELECT * FROM region_communicators;
