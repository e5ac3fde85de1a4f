-- What the matrix of a large run does not tell, because ranks share its lines (see traffic): the bytes and messages
-- between nodes (source and dest: the lowest rank of each), by difference of the ranks (dest: the difference), and of
-- the heaviest pairs, by communicator (its key, as in communicators). No rows if each rank has a line.
WITH pair (id, source, dest, messages, bytes) AS MATERIALIZED (
         SELECT communicator_uid, source, dest, sum(messages), sum(bytes) FROM traffic_pairs
         WHERE partner IS NULL AND source IS NOT NULL AND dest IS NOT NULL
               AND (SELECT coalesce(max(world_size), 1) FROM process) > 128
         GROUP BY 1, 2, 3),
     known (id, key) AS MATERIALIZED (
         SELECT k.id, min(a.similar_to)
         FROM object o JOIN similar_objects a USING (rank, object) JOIN object_keys k USING (rank, object)
         WHERE o.kind = 'communicator' GROUP BY 1),
     keyed (key, source, dest, messages, bytes) AS MATERIALIZED (
         SELECT coalesce(k.key, 0), p.source, p.dest, sum(p.messages), sum(p.bytes)
         FROM pair p LEFT JOIN known k ON k.id = p.id
         WHERE (SELECT coalesce(max(world_size), 1) FROM process) > 512 OR (SELECT count(*) > 40000 FROM pair)
         GROUP BY 1, 2, 3),
     node (rank, first) AS MATERIALIZED (
         SELECT rank, min(rank) OVER (PARTITION BY node) FROM process WHERE rank >= 0),
     nodes (count) AS (SELECT count(DISTINCT first) FROM node),
     numbered AS (
         SELECT *, row_number() OVER (PARTITION BY key ORDER BY bytes DESC, source, dest) AS by_bytes,
                row_number() OVER (PARTITION BY key ORDER BY messages DESC, source, dest) AS by_messages
         FROM keyed)
SELECT 'nodes' AS part, p.key, s.first AS source, d.first AS dest, sum(p.messages) AS messages, sum(p.bytes) AS bytes
FROM nodes n CROSS JOIN keyed p JOIN node s ON s.rank = p.source JOIN node d ON d.rank = p.dest
WHERE n.count BETWEEN 2 AND 256 GROUP BY 2, 3, 4
UNION ALL
SELECT * FROM (SELECT 'difference', key, NULL, abs(dest - source), sum(messages), sum(bytes)
               FROM keyed GROUP BY 2, 4 ORDER BY 6 DESC, 5 DESC, 4 LIMIT 2000)
UNION ALL
SELECT 'pair', key, source, dest, messages, bytes FROM numbered WHERE by_bytes <= 10 OR by_messages <= 10
ORDER BY 1, 2, 3, 4
