-- MPI time by communicator (its key, as in communicators) and function, and how it is distributed over the ranks that
-- called the function there.
WITH used (key, function, class, rank, calls, open, time_ns, sent_bytes, received_bytes) AS MATERIALIZED (
         SELECT coalesce(a.similar_to, 0), c.name, c.class, c.rank, sum(c.calls), sum(c.open), total(c.time_ns),
                sum(c.sent_bytes), sum(c.received_bytes)
         FROM call_times c
              LEFT JOIN similar_objects a ON a.rank = c.rank AND a.object = coalesce(nullif(c.object, 0), c.communicator)
         WHERE NOT c.lifecycle GROUP BY 1, 2, 3, 4),
     ordered AS (
         SELECT *, row_number() OVER (PARTITION BY key, function ORDER BY time_ns, rank) AS number,
                count(*) OVER (PARTITION BY key, function) AS ranks
         FROM used)
SELECT key, function, class, count(*) AS ranks, sum(calls) AS calls, sum(open) AS open, total(time_ns) / 1e9 AS seconds,
       sum(sent_bytes) AS sent_bytes, sum(received_bytes) AS received_bytes, min(time_ns) / 1e9 AS least_seconds,
       avg(CASE WHEN number IN ((ranks + 1) / 2, (ranks + 2) / 2) THEN time_ns END) / 1e9 AS median_seconds,
       max(time_ns) / 1e9 AS most_seconds, max(CASE number WHEN 1 THEN rank END) AS least_rank,
       max(CASE number WHEN ranks THEN rank END) AS most_rank
FROM ordered GROUP BY key, function ORDER BY seconds DESC, key, function
