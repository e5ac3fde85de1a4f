-- What each rank did when: at most 4,000 rows. A rank's time is cut into equal parts; a call that is longer than a part
-- has a row of its own, all shorter ones of a part, function and communicator share one. Their last end is
-- until_seconds; calls and inside_seconds are sums. The rows with the least time are left out. With more than 48 ranks,
-- only some have rows: every n-th, and those that the others wait for most.
WITH span (from_ns, to_ns, ranks) AS MATERIALIZED (
         SELECT min(start_ns), max(start_ns + duration_ns), count(DISTINCT rank) FROM event WHERE rank >= 0),
     shown (rank) AS MATERIALIZED (
         SELECT rank FROM (SELECT rank, row_number() OVER (ORDER BY rank) - 1 AS number
                           FROM (SELECT DISTINCT rank FROM event WHERE rank >= 0)), span
         WHERE number % ((ranks + 47) / 48) = 0
         UNION SELECT rank FROM wait_findings),
     part (ns) AS (SELECT max((to_ns - from_ns) * max(min(ranks, 48), 4) / 2000, 1) FROM span),
     key (rank, object, similar_to) AS MATERIALIZED (SELECT rank, object, similar_to FROM similar_objects)
SELECT rank, thread, function, key, from_seconds, until_seconds, calls, inside_seconds
FROM (SELECT e.rank, e.thread, coalesce(f.name, 'a call') AS function, coalesce(k.similar_to, 0) AS key,
             min(e.start_ns) / 1e9 AS from_seconds, max(e.start_ns + e.duration_ns) / 1e9 AS until_seconds,
             sum(e.calls) AS calls, sum(coalesce(e.inside_ns, e.duration_ns)) / 1e9 AS inside_seconds
      FROM shown s JOIN event e ON e.rank = s.rank JOIN span JOIN part
           LEFT JOIN function f ON f.function = e.function
           LEFT JOIN key k ON k.rank = e.rank AND k.object = e.object
      GROUP BY e.rank, e.thread, e.function, k.similar_to, (e.start_ns - from_ns) / ns,
               CASE WHEN e.duration_ns >= ns THEN e.event END
      ORDER BY 8 DESC, 1, 2, 5, 3 LIMIT 4000)
ORDER BY rank, thread, from_seconds, until_seconds DESC, function, key
