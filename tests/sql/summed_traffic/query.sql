SELECT * FROM summed_traffic ORDER BY id, transfer, source, dest, partner;
