SELECT * FROM rank_usage;
