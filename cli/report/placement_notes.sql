SELECT substr(value, 1, 120) AS note, ranges(rank) AS ranks FROM meta
WHERE key = 'note.placement' AND rank >= 0
      AND value IN (SELECT DISTINCT value FROM meta WHERE key = 'note.placement' LIMIT 2)
GROUP BY value ORDER BY value
