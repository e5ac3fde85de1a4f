SELECT rank, min(start_ns), max(max(start_ns + duration_ns), coalesce((SELECT CASE
       WHEN EXISTS (SELECT 1 FROM thread t WHERE t.rank = p.rank AND t.state = 'inside') THEN l.latest_ns
       ELSE p.last_seen_ns END FROM process p JOIN latest_ends l ON l.rank = p.rank WHERE p.rank = e.rank), 0))
FROM event e WHERE rank >= 0 AND ?1 < ?2 GROUP BY rank
