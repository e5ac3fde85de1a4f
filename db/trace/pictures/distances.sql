-- How far messages and transfers went, by communicator (its key, as in communicators).
WITH known (id, key) AS MATERIALIZED (
         SELECT k.id, min(a.similar_to)
         FROM object o JOIN similar_objects a USING (rank, object) JOIN object_keys k USING (rank, object)
         WHERE o.kind = 'communicator' GROUP BY 1)
SELECT coalesce(k.key, 0) AS key, d.distance, sum(d.messages) AS messages, sum(d.bytes) AS bytes
FROM traffic_distances d LEFT JOIN known k ON k.id = d.communicator_uid WHERE d.partner IS NULL
GROUP BY 1, 2 ORDER BY 1, 2
