SELECT * FROM rank_processors ORDER BY rank, cpu
