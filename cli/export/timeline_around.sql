SELECT max(ns) / 1e9 FROM (
    SELECT t.since_ns AS ns FROM thread t JOIN process p USING (rank)
    WHERE t.state = 'inside' AND p.outcome <> 'finalized' AND (?1 < 0 OR t.rank = ?1)
    UNION ALL
    SELECT max(start_ns + duration_ns) FROM event WHERE rank = ?1)
