-- The tags of messages by communicator (its key, as in communicators): the 300 with the most messages, and the largest.
WITH known (id, key) AS MATERIALIZED (
         SELECT k.id, min(a.similar_to)
         FROM object o JOIN similar_objects a USING (rank, object) JOIN object_keys k USING (rank, object)
         WHERE o.kind = 'communicator' GROUP BY 1),
     line (key, direction, tag, last_tag, largest_tag, messages) AS (
         SELECT coalesce(k.key, 0), t.direction, t.tag, t.last_tag, max(t.largest_tag), sum(t.messages)
         FROM tags t LEFT JOIN known k ON k.id = t.communicator_uid GROUP BY 1, 2, 3, 4),
     numbered AS (
         SELECT *, row_number() OVER (ORDER BY messages DESC, tag, key, direction) AS number,
                row_number() OVER (ORDER BY largest_tag DESC, key, direction) AS from_largest, count(*) OVER () AS lines
         FROM line)
SELECT key, direction, tag, last_tag, largest_tag, messages, lines, (SELECT tag_ub FROM largest_tag) AS tag_ub
FROM numbered WHERE number <= 300 OR from_largest = 1 ORDER BY tag, last_tag, key, direction
