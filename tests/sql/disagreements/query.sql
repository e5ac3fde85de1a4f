SELECT * FROM disagreements ORDER BY about, communicator, rank, finding, other;
