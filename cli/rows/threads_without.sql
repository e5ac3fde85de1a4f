WITH known (rank, thread) AS MATERIALIZED (SELECT DISTINCT rank, thread FROM event)
SELECT count(*) AS threads, count(*) - count(k.rank) AS without
FROM thread t LEFT JOIN known k ON k.rank = t.rank AND k.thread = t.thread
WHERE t.rank IN (SELECT rank FROM known)
