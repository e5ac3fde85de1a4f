-- The 600 messages whose receivers waited longest for them, then the largest: from the begin of the call that sent to
-- the end of the call that received.
WITH keyed (rank, id, key) AS MATERIALIZED (
         SELECT o.rank, o.uid, a.similar_to
         FROM object o LEFT JOIN similar_objects a ON a.rank = o.rank AND a.object = o.object WHERE o.uid IS NOT NULL)
SELECT m.source, m.dest, m.tag, m.bytes, coalesce(k.key, 0) AS key, m.send_start_ns / 1e9 AS sent_seconds,
       m.receive_end_ns / 1e9 AS received_seconds, m.send_function, m.receive_function
FROM messages m LEFT JOIN keyed k ON k.rank = m.source AND k.id = m.id
WHERE m.source <> m.dest AND m.receive_end_ns >= m.send_start_ns
ORDER BY max(m.send_start_ns - m.receive_start_ns, 0) DESC, m.bytes DESC, m.send_start_ns, m.source, m.dest LIMIT 600
