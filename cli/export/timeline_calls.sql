WITH done (rank, function, object, from_ns, to_ns, share) AS MATERIALIZED (
    SELECT rank, function, object, max(start_ns, ?1), min(start_ns + duration_ns, ?2),
           CASE WHEN inside_ns < duration_ns THEN inside_ns * 1.0 / duration_ns ELSE 1 END
    FROM event WHERE start_ns < ?2 AND start_ns + duration_ns >= ?1 AND rank >= 0
    UNION ALL
    SELECT t.rank, t.function, t.object, max(t.since_ns, ?1), min(l.latest_ns, ?2), 1 -- it never returned
    FROM thread t JOIN latest_ends l USING (rank)
    WHERE t.state = 'inside' AND t.since_ns < ?2 AND l.latest_ns >= ?1 AND t.rank >= 0)
SELECT d.rank AS rank, f.name || coalesce(' on ' || l.label, '') AS call, d.from_ns AS least, d.to_ns AS most,
       d.share AS share
FROM done d LEFT JOIN function f ON f.function = d.function
     LEFT JOIN labels l ON l.rank = d.rank AND l.object = d.object
