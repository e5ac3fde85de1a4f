WITH unknown (what, rank) AS (
         SELECT substr(value, 1, 120), rank FROM meta
         WHERE key = 'note.placement' AND rank >= 0
               AND value IN (SELECT DISTINCT value FROM meta WHERE key = 'note.placement' LIMIT 2)
         UNION ALL SELECT 'allowed processors', rank FROM bindings WHERE rank >= 0 AND allowed_cpus IS NULL
         UNION ALL SELECT 'processor in use', rank FROM bindings WHERE rank >= 0 AND coalesce(core, cpu) IS NULL)
SELECT 'Unknown for ' || iif(count(DISTINCT rank) = 1, 'rank ', 'ranks ') || ranges(rank, 60) || ': ' || what AS text
FROM unknown GROUP BY what ORDER BY what IN ('allowed processors', 'processor in use'), what
