SELECT * FROM late_rank_findings;
