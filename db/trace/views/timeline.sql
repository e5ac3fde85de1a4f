-- Views: the rows of the time line. They are few, however many events there are.

-- kept: events, others
CREATE VIEW timeline ( -- what each rank did when: at most 4,000 rows, and calls that never returned. A rank's time is
        -- cut into equal parts; a call that is longer than a part has a row of its own, all shorter ones of a part,
        -- function and communicator share one. The rows with the least time are left out. With more than 48 ranks, only
        -- some have rows: every n-th, and those that the others wait for most
    rank, -- rank of the process
    thread, -- as in threads
    function, -- MPI function
    class, -- as in function
    key, -- similar_to of the communicator, window or file, as in similar_objects; 0: none
    from_seconds, -- begin of the first call
    until_seconds, -- end of the last one; of a call that never returned: latest_ns in latest_ends
    calls, -- number of calls
    inside_seconds, -- time in them together; of a call that never returned: until its rank was last seen
    site, -- call site, if the row is one call
    peer, -- as in events, if the row is one call
    tag, -- as in events, if the row is one call
    bytes, -- as in events, if the row is one call
    open -- 1: the call never returned
) AS
WITH shown (rank) AS MATERIALIZED (
         SELECT rank FROM (SELECT rank, row_number() OVER (ORDER BY rank) - 1 AS number, count(*) OVER () AS ranks
                           FROM (SELECT DISTINCT rank FROM event WHERE rank >= 0))
         WHERE number % ((ranks + 47) / 48) = 0
         UNION SELECT rank FROM wait_findings),
     key (rank, object, similar_to) AS MATERIALIZED (SELECT rank, object, similar_to FROM similar_objects),
     grouped (rank, thread, function, key, from_ns, until_ns, calls, inside_ns, site, peer, tag, bytes) AS (
         SELECT e.rank, e.thread, e.function, coalesce(k.similar_to, 0), min(e.from_ns), max(e.until_ns), sum(e.calls),
                sum(e.inside_ns), min(e.site), min(e.peer), min(e.tag), min(e.bytes)
         FROM computed_timeline e CROSS JOIN shown s ON s.rank = e.rank
              LEFT JOIN key k ON k.rank = e.rank AND k.object = e.object
         GROUP BY e.rank, e.thread, e.function, k.similar_to, e.part, e.event),
     pending (rank, thread, function, object, since_ns, site, peer, tag, bytes, until_ns, seen_ns) AS MATERIALIZED (
         SELECT t.rank, t.thread, t.function, t.object, t.since_ns, t.site, t.peer, t.tag, t.bytes,
                max(coalesce(l.latest_ns, p.last_seen_ns), t.since_ns), max(p.last_seen_ns, t.since_ns)
         FROM thread t JOIN shown s ON s.rank = t.rank JOIN process p ON p.rank = t.rank
              LEFT JOIN latest_ends l ON l.rank = t.rank
         WHERE t.state = 'inside' AND t.since_ns IS NOT NULL)
SELECT rank, thread, function, class, key, from_seconds, until_seconds, calls, inside_seconds, site, peer, tag, bytes,
       open
FROM (SELECT * FROM (
          SELECT g.rank, g.thread, coalesce(f.name, 'a call') AS function, f.class, g.key,
                 g.from_ns / 1e9 AS from_seconds, g.until_ns / 1e9 AS until_seconds, g.calls,
                 g.inside_ns / 1e9 AS inside_seconds,
                 CASE g.calls WHEN 1 THEN g.site END AS site, CASE g.calls WHEN 1 THEN g.peer END AS peer,
                 CASE g.calls WHEN 1 THEN g.tag END AS tag, CASE g.calls WHEN 1 THEN g.bytes END AS bytes, 0 AS open
          FROM grouped g LEFT JOIN function f ON f.function = g.function
          ORDER BY 9 DESC, 1, 2, 6, 3 LIMIT 4000)
      UNION ALL
      SELECT t.rank, t.thread, coalesce(f.name, 'a call'), f.class, coalesce(k.similar_to, 0), t.since_ns / 1e9,
             t.until_ns / 1e9, 0, (t.seen_ns - t.since_ns) / 1e9, nullif(t.site, 0), t.peer, t.tag, t.bytes, 1
      FROM pending t LEFT JOIN function f ON f.function = t.function
           LEFT JOIN key k ON k.rank = t.rank AND k.object = t.object)
ORDER BY rank, thread, from_seconds, until_seconds DESC, function, key;

-- kept: events, others
CREATE VIEW late_messages ( -- the 600 messages whose receivers waited longest for them, then the largest: from the
        -- begin of the call that sent to the end of the call that received
    source, -- as in messages
    dest, -- as in messages
    tag, -- as in messages
    bytes, -- as in messages
    key, -- as in timeline
    sent_seconds, -- begin of the call that sent it
    received_seconds, -- end of the call that completed the receive
    send_function, -- as in messages
    receive_function -- as in messages
) AS
WITH keyed (rank, id, key) AS MATERIALIZED (
         SELECT o.rank, o.uid, a.similar_to
         FROM object o LEFT JOIN similar_objects a ON a.rank = o.rank AND a.object = o.object WHERE o.uid IS NOT NULL)
SELECT m.source, m.dest, m.tag, m.bytes, coalesce(k.key, 0) AS key, m.send_start_ns / 1e9 AS sent_seconds,
       m.receive_end_ns / 1e9 AS received_seconds, m.send_function, m.receive_function
FROM messages m LEFT JOIN keyed k ON k.rank = m.source AND k.id = m.id
WHERE m.source <> m.dest AND m.receive_end_ns >= m.send_start_ns
ORDER BY max(m.send_start_ns - m.receive_start_ns, 0) DESC, m.bytes DESC, m.send_start_ns, m.source, m.dest LIMIT 600;
