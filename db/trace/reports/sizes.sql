-- Message sizes
-- empty: No message, collective call or transfer was recorded.
-- drop: bytes_percent, messages_percent
-- The verdict for each kind of call (view message_sizes); then a histogram, one row for each power of two. % is the share of the kind.
WITH size (kind, size_class, least_bytes, most_bytes, messages, bytes) AS MATERIALIZED (
         SELECT kind, size_class, least_bytes, most_bytes, sum(messages), sum(bytes) FROM message_sizes GROUP BY 1, 2),
     whole (kind, messages, bytes) AS (SELECT kind, sum(messages), sum(bytes) FROM size GROUP BY 1),
     summed (kind, least_bytes, most_bytes, messages, bytes) AS ( -- up to this size; from this size on
         SELECT kind, least_bytes, most_bytes, sum(messages) OVER (PARTITION BY kind ORDER BY size_class),
                sum(bytes) OVER (PARTITION BY kind ORDER BY size_class DESC)
         FROM size),
     half (kind, most_bytes, least_bytes) AS (
         SELECT s.kind, min(CASE WHEN s.messages * 2 >= w.messages THEN s.most_bytes END), max(CASE WHEN s.bytes * 2 >= w.bytes THEN s.least_bytes END)
         FROM summed s JOIN whole w ON w.kind = s.kind GROUP BY 1),
     word (kind, place, one, many) AS (VALUES
         ('point-to-point', 1, 'message', 'messages'), ('persistent', 2, 'started transfer', 'started transfers'),
         ('collective', 3, 'collective call', 'collective calls'), ('one-sided', 4, 'one-sided transfer', 'one-sided transfers'),
         ('file', 5, 'file access', 'file accesses'))
SELECT w.messages || ' ' || CASE w.messages WHEN 1 THEN d.one ELSE d.many END
       || CASE WHEN w.bytes = 0 THEN ' without data'
               ELSE ' with ' || bytes(w.bytes) || CASE WHEN w.messages = 1 THEN '' ELSE ': half of them ' || CASE h.most_bytes WHEN 0 THEN 'carry no data' ELSE 'have at most ' || bytes(h.most_bytes) END
                    || ', half of the data is in those of ' || bytes(h.least_bytes) || ' and more' END END AS line
FROM whole w JOIN word d ON d.kind = w.kind JOIN half h ON h.kind = w.kind ORDER BY d.place;

WITH size (kind, size_class, messages, bytes) AS MATERIALIZED (
         SELECT kind, size_class, sum(messages), sum(bytes) FROM message_sizes GROUP BY 1, 2),
     unit (first, name) AS (VALUES (1, 'B'), (11, 'KiB'), (21, 'MiB'), (31, 'GiB'), (41, 'TiB'), (51, 'PiB'), (61, 'EiB'))
SELECT s.kind,
       CASE s.size_class WHEN 0 THEN 'none' WHEN 1 THEN '1 B'
            ELSE printf('%d-%d %s', 1 << (s.size_class - u.first), (1 << (s.size_class - u.first + 1)) - (u.first = 1), u.name) END AS size,
       s.messages, s.messages * 100.0 / nullif(sum(s.messages) OVER (PARTITION BY s.kind), 0) AS messages_percent,
       s.bytes, s.bytes * 100.0 / nullif(sum(s.bytes) OVER (PARTITION BY s.kind), 0) AS bytes_percent
FROM size s LEFT JOIN unit u ON s.size_class BETWEEN u.first AND u.first + 9
ORDER BY CASE s.kind WHEN 'point-to-point' THEN 1 WHEN 'persistent' THEN 2 WHEN 'collective' THEN 3 WHEN 'one-sided' THEN 4 ELSE 5 END, s.size_class
