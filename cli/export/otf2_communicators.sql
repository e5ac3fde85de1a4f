-- above: the local communicator that an intercommunicator, or the one that it was made from, was made from.
WITH RECURSIVE chain (rank, object, above) AS (
         SELECT c.rank, c.object, o.parent FROM communicator c JOIN object o USING (rank, object)
         WHERE c.remote_size IS NOT NULL
         UNION ALL
         SELECT s.rank, s.object, o.parent FROM chain s
              JOIN communicator c ON c.rank = s.rank AND c.object = s.above AND c.remote_size IS NOT NULL
              JOIN object o ON o.rank = s.rank AND o.object = s.above),
     half (rank, object, side) AS (
         SELECT s.rank, s.object, CAST(o.uid AS INT) FROM chain s
              JOIN communicator c ON c.rank = s.rank AND c.object = s.above AND c.remote_size IS NULL
              JOIN object o ON o.rank = s.rank AND o.object = s.above)
SELECT c.rank, c.object, o.uid IS NOT NULL AND (c.size > 1 OR c.remote_size IS NOT NULL) AS shared,
       CAST(o.uid AS INT) AS uid, l.label AS name, c.size, c.own_rank AS own, c.remote_size, h.side, c.members
FROM communicator c JOIN object o ON o.rank = c.rank AND o.object = c.object
     LEFT JOIN half h ON h.rank = c.rank AND h.object = c.object
     LEFT JOIN labels l ON l.rank = c.rank AND l.object = c.object
WHERE c.rank >= 0
ORDER BY shared, CASE WHEN shared THEN o.uid END, h.side, CASE WHEN NOT shared THEN l.label END, own_rank,
         c.rank, c.object
