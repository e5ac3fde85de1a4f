SELECT * FROM disagreements ORDER BY about, communicator, rank, kind, attribute, key_location, keyval, other;
