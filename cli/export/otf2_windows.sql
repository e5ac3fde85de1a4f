SELECT o.rank, o.object, CAST(o.uid AS INT) AS uid, l.label AS name, o.kind = 'window' AS window,
       CASE o.kind WHEN 'window' THEN w.communicator ELSE o.parent END AS communicator
FROM object o LEFT JOIN window w ON w.rank = o.rank AND w.object = o.object
     LEFT JOIN labels l ON l.rank = o.rank AND l.object = o.object
WHERE o.kind IN ('window', 'file') AND o.uid IS NOT NULL AND o.rank >= 0 ORDER BY uid, o.rank
