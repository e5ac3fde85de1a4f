WITH pair (largest, bytes) AS (
         SELECT max(max(source), max(dest)) + 1, sum(bytes) FROM traffic_pairs
         WHERE partner IS NULL AND max(source, dest) < 0x7fffffff)
SELECT min(0x7fffffff, max((SELECT max(max(coalesce(world_size, 0)), max(rank) + 1) FROM process),
                           coalesce((SELECT largest FROM pair), 0))) AS ranks,
       coalesce((SELECT bytes FROM pair), 0) > 0 AS by_bytes
