-- Communicators, windows and files with their time, as a forest. Similar ones (see similar_objects) share a row; `key`
-- is its number in all pictures, `parent` the key of the row that the first of them was created from. Key 0 has the
-- calls without a communicator. The functions of class lifecycle are left out.
WITH member (key, rank, object, kind, freed, id) AS MATERIALIZED (
         SELECT a.similar_to, a.rank, a.object, o.kind, o.freed_ns IS NOT NULL, k.id
         FROM similar_objects a JOIN object o USING (rank, object) JOIN object_keys k USING (rank, object)),
     line (key, kind, ranks, objects, freed, communicators) AS MATERIALIZED (
         SELECT key, min(kind), count(DISTINCT rank), count(*), sum(freed), count(DISTINCT id) FROM member GROUP BY 1),
     spent (key, name, calls, open, seconds, percent, sent_bytes, received_bytes) AS MATERIALIZED (
         SELECT coalesce(similar_to, 0),
                row_name(communicator, number, names, CASE WHEN objects > ranks THEN communicators END, kind),
                calls, open, seconds, percent, sent_bytes, received_bytes
         FROM communicator_time WHERE percent IS NOT NULL
         -- SQLite expects one row from a view with window functions, and then joins without an index. The second
         -- part has no rows, but SQLite expects many.
         UNION ALL SELECT 0, NULL, 0, 0, 0, 0, 0, 0 FROM object WHERE false)
SELECT l.key, p.key AS parent, l.kind, coalesce(s.name, n.label) AS name, c.size, l.communicators, l.objects, l.ranks,
       l.freed, o.predefined, f.name AS created_by, o.site, o.created_ns, coalesce(s.calls, 0) AS calls,
       coalesce(s.open, 0) AS open, coalesce(s.seconds, 0) AS seconds, coalesce(s.percent, 0) AS percent,
       coalesce(s.sent_bytes, 0) AS sent_bytes, coalesce(s.received_bytes, 0) AS received_bytes
FROM line l JOIN object o ON o.rank = l.key >> 32 AND o.object = l.key & 4294967295
     LEFT JOIN communicator c ON c.rank = o.rank AND c.object = o.object
     LEFT JOIN window w ON w.rank = o.rank AND w.object = o.object
     LEFT JOIN member p ON p.rank = o.rank AND p.object = coalesce(w.communicator, o.parent)
     LEFT JOIN labels n ON n.rank = o.rank AND n.object = o.object
     LEFT JOIN function f ON f.function = o.function LEFT JOIN spent s ON s.key = l.key
UNION ALL
SELECT key, NULL, NULL, name, NULL, 0, 0, NULL, 0, 0, NULL, NULL, NULL, calls, open, seconds, percent, sent_bytes,
       received_bytes
FROM spent WHERE key NOT IN (SELECT key FROM line)
ORDER BY 1
