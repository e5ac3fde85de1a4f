-- MPI time by communicator (its key, as in communicators) and function, and how it is distributed over the ranks that
-- called the function there. The quartiles are within 1 %.
SELECT coalesce(g.similar_to, 0) AS key, coalesce(f.name, 'function ' || s.function) AS function, f.class, s.ranks,
       s.calls, s.open, s.time_ns / 1e9 AS seconds, s.sent_bytes, s.received_bytes, s.least_ns / 1e9 AS least_seconds,
       s.quarter_ns / 1e9 AS quarter_seconds, s.median_ns / 1e9 AS median_seconds,
       s.three_quarters_ns / 1e9 AS three_quarters_seconds, s.most_ns / 1e9 AS most_seconds, s.least_rank, s.most_rank
FROM summary s LEFT JOIN similar_groups g ON g.similar = s.similar LEFT JOIN function f ON f.function = s.function
WHERE likely(s.part = 'similar') AND f.class IS NOT 'lifecycle' ORDER BY seconds DESC, key, 2
