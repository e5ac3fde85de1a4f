SELECT * FROM window_conflicts ORDER BY id, site, rank, other_rank;
