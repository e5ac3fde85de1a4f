SELECT b.latest_rank, b.least_seconds, b.next_seconds, b.waiting_seconds, b.waiting_percent,
       (SELECT count(*) FROM findings WHERE kind = 'late_rank') AS claims FROM balance b;
