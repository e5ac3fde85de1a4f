SELECT substr(value, 1, 120) AS note, ranges(rank) AS ranks FROM meta
WHERE key = 'note.placement' AND rank >= 0
      AND value IN (SELECT DISTINCT value FROM meta WHERE key = 'note.placement' LIMIT 2)
GROUP BY value
UNION ALL SELECT 'allowed processors', ranges(rank) FROM bindings WHERE rank >= 0 AND allowed_cpus IS NULL HAVING count(*)
UNION ALL SELECT 'processor in use', ranges(rank) FROM bindings WHERE rank >= 0 AND coalesce(core, cpu) IS NULL
HAVING count(*)
