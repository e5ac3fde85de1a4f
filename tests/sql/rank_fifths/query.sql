SELECT * FROM rank_fifths ORDER BY rank, fifth;
