SELECT min(start_ns) AS least, max(start_ns + duration_ns) AS most,
       (SELECT count(*) FROM process WHERE rank >= 0) AS ranks, count(*) AS events,
       (SELECT max(latest_ns) FROM latest_ends JOIN thread t USING (rank)
        WHERE t.state = 'inside') AS ended
FROM event
