-- The 600 longest waits: who waited for whom, from when to when.
WITH keyed (rank, id, key) AS MATERIALIZED (
         SELECT o.rank, o.uid, a.similar_to
         FROM object o LEFT JOIN similar_objects a ON a.rank = o.rank AND a.object = o.object WHERE o.uid IS NOT NULL)
SELECT w.rank, w.kind, w.function, w.cause, w.cause_function, coalesce(k.key, 0) AS key,
       w.start_ns / 1e9 AS from_seconds, (w.start_ns + w.wait_ns) / 1e9 AS until_seconds
FROM wait_states w LEFT JOIN keyed k ON k.rank = w.rank AND k.id = w.id
ORDER BY w.wait_ns DESC, w.start_ns, w.rank LIMIT 600
