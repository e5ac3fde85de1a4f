-- What the tables rank_time and summary must have, computed by SQL from all calls: an oracle for db/summary. The sketch is left
-- out. For an open trace with tables and views, whose own two tables are empty.

INSERT INTO rank_time
SELECT rank, communicator, object, function, sum(calls), sum(open), CAST(total(time_ns) AS INT), min(min_ns), max(max_ns), sum(sent_bytes),
       sum(received_bytes)
FROM call_times GROUP BY rank, communicator, object, function;

INSERT INTO summary
WITH call (rank, similar, size_similar, function, site, kind, size_class, calls, open, time_ns, min_ns, max_ns,
           sent_bytes, received_bytes, messages, bytes) AS MATERIALIZED (
         SELECT c.rank,
                CASE WHEN o.kind IN ('communicator', 'window', 'file')
                     THEN o.similar ELSE 0 END,
                coalesce(o.similar, 0),
                c.function, c.site,
                CASE WHEN c.open THEN NULL
                     WHEN f.class = 'point-to-point' AND f.transfer IN ('send', 'both') AND f.mode IS NOT 'persistent'
                          OR f.class = 'collective' AND f.mode IS NOT 'persistent' THEN f.class
                     WHEN c.sent_bytes = 0 AND c.received_bytes = 0 THEN NULL
                     WHEN f.class = 'request' AND f.mode = 'start' THEN 'persistent'
                     WHEN f.class = 'io' THEN 'file' WHEN f.class = 'one-sided' THEN f.class END,
                CASE WHEN f.class = 'point-to-point' AND c.sent_bytes = 0 THEN 0 ELSE c.size_class END,
                c.calls, c.open, c.time_ns, c.min_ns, c.max_ns, c.sent_bytes, c.received_bytes,
                -- Transfers that MPI_Startall began have no calls of their own, and one size class.
                CASE WHEN c.calls > 0 THEN c.calls
                     ELSE max((max(c.sent_bytes, c.received_bytes) + (1 << c.size_class) - 2)
                              / max((1 << c.size_class) - 1, 1), 0) END,
                CASE f.class WHEN 'point-to-point' THEN c.sent_bytes ELSE max(c.sent_bytes, c.received_bytes) END
         FROM call_times c
              LEFT JOIN object_keys o ON o.rank = c.rank AND o.object = coalesce(nullif(c.object, 0), c.communicator)
              LEFT JOIN function f ON f.function = c.function),
     spent (part, rank, similar, kind, function, site, size_class, calls, open, time_ns, min_ns, max_ns, sent_bytes,
            received_bytes) AS (
         SELECT 'function', rank, 0, '', function, 0, 0, sum(calls), sum(open), CAST(total(time_ns) AS INT),
                min(min_ns), max(max_ns), sum(sent_bytes), sum(received_bytes)
         FROM call GROUP BY rank, function
         UNION ALL
         SELECT 'site', rank, 0, '', function, site, 0, sum(calls), sum(open), CAST(total(time_ns) AS INT), min(min_ns),
                max(max_ns), sum(sent_bytes), sum(received_bytes)
         FROM call GROUP BY rank, function, site
         UNION ALL
         SELECT 'similar', rank, similar, '', function, 0, 0, sum(calls), sum(open), CAST(total(time_ns) AS INT),
                min(min_ns), max(max_ns), sum(sent_bytes), sum(received_bytes)
         FROM call GROUP BY rank, similar, function
         UNION ALL
         SELECT 'line', rank, similar, '', function, site, 0, sum(calls), sum(open), CAST(total(time_ns) AS INT),
                min(min_ns), max(max_ns), sum(sent_bytes), sum(received_bytes)
         FROM call GROUP BY rank, similar, function, site
         UNION ALL
         SELECT 'size', rank, size_similar, kind, 0, 0, size_class, sum(messages), 0, 0, NULL, NULL, sum(bytes), 0
         FROM call WHERE kind IS NOT NULL GROUP BY rank, size_similar, kind, size_class),
     -- The 7 highest bits of a time are kept, and the middle of what they leave open stands for it, as in a sketch.
     hex (part, rank, similar, kind, function, site, size_class, calls, open, time_ns, min_ns, max_ns, sent_bytes,
          received_bytes, digits) AS (SELECT *, printf('%x', time_ns) FROM spent),
     wide (part, rank, similar, kind, function, site, size_class, calls, open, time_ns, min_ns, max_ns, sent_bytes,
           received_bytes, dropped) AS (
         SELECT part, rank, similar, kind, function, site, size_class, calls, open, time_ns, min_ns, max_ns, sent_bytes,
                received_bytes,
                max(4 * length(digits) - 7
                    - CASE WHEN digits < '2' THEN 3 WHEN digits < '4' THEN 2 WHEN digits < '8' THEN 1 ELSE 0 END, 0)
         FROM hex),
     ordered (part, rank, similar, kind, function, site, size_class, calls, open, time_ns, min_ns, max_ns, sent_bytes,
              received_bytes, rounded, low, high, ranks) AS (
         SELECT part, rank, similar, kind, function, site, size_class, calls, open, time_ns, min_ns, max_ns, sent_bytes,
                received_bytes, (time_ns >> dropped << dropped) + (1 << dropped >> 1),
                row_number() OVER (PARTITION BY part, similar, kind, function, site, size_class
                                   ORDER BY time_ns, rank),
                row_number() OVER (PARTITION BY part, similar, kind, function, site, size_class
                                   ORDER BY time_ns DESC, rank),
                count(*) OVER (PARTITION BY part, similar, kind, function, site, size_class)
         FROM wide)
SELECT part, similar, kind, function, site, size_class, count(*), sum(calls), sum(open),
       CASE WHEN total(time_ns) < 9e18 THEN CAST(total(time_ns) AS INT) ELSE total(time_ns) END, min(time_ns),
       max(CASE low WHEN 1 THEN rank END), max(CASE low WHEN 2 THEN time_ns END), max(time_ns),
       max(CASE high WHEN 1 THEN rank END),
       min(max(max(CASE low WHEN (ranks + 3) / 4 THEN rounded END), min(time_ns)), max(time_ns)),
       min(max(max(CASE low WHEN (ranks + 1) / 2 THEN rounded END)
               + (max(CASE low WHEN (ranks + 2) / 2 THEN rounded END)
                  - max(CASE low WHEN (ranks + 1) / 2 THEN rounded END)) / 2, min(time_ns)), max(time_ns)),
       min(max(max(CASE low WHEN (3 * ranks + 3) / 4 THEN rounded END), min(time_ns)), max(time_ns)),
       min(min_ns), max(max_ns), sum(sent_bytes), sum(received_bytes), NULL
FROM ordered GROUP BY part, similar, kind, function, site, size_class;
