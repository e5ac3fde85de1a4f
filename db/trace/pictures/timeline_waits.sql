-- The 600 longest waits: who waited for whom, from when to when.
SELECT w.rank, w.kind, w.function, w.cause, w.cause_function, coalesce(a.similar_to, 0) AS key,
       w.start_ns / 1e9 AS from_seconds, (w.start_ns + w.wait_ns) / 1e9 AS until_seconds
FROM wait_states w LEFT JOIN object o ON o.rank = w.rank AND o.uid = w.id
     LEFT JOIN similar_objects a ON a.rank = o.rank AND a.object = o.object
ORDER BY w.wait_ns DESC, w.start_ns, w.rank LIMIT 600
