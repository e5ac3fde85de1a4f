SELECT * FROM collective_calls WHERE id IN (701, 702) ORDER BY id, number, rank;
