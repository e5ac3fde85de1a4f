-- Messages and one-sided transfers between ranks, by communicator (its key, as in communicators). `bin` ranks share a
-- row or column if there are many: source and dest are the first of them.
WITH pair (id, transfer, source, dest, messages, bytes) AS MATERIALIZED (
         SELECT communicator_uid, transfer, source, dest, messages, bytes FROM traffic_pairs
         WHERE partner IS NULL AND source IS NOT NULL AND dest IS NOT NULL),
     most (ranks, lines) AS (
         SELECT (SELECT coalesce(max(world_size), 1) FROM process),
                (SELECT CASE WHEN count(*) <= 40000 THEN 512 ELSE 128 END FROM pair)),
     doubled (bin) AS (
         SELECT 1 UNION ALL SELECT 2 * bin FROM doubled, most WHERE ranks > bin * lines),
     width (bin) AS (SELECT max(bin) FROM doubled),
     known (id, key) AS MATERIALIZED (
         SELECT k.id, min(a.similar_to)
         FROM object o JOIN similar_objects a USING (rank, object) JOIN object_keys k USING (rank, object)
         WHERE o.kind = 'communicator' GROUP BY 1)
SELECT coalesce(k.key, 0) AS key, p.transfer, p.source / w.bin * w.bin AS source, p.dest / w.bin * w.bin AS dest,
       sum(p.messages) AS messages, sum(p.bytes) AS bytes, w.bin
FROM width w CROSS JOIN pair p LEFT JOIN known k ON k.id = p.id GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
