-- One row for each difference and the ranks that have it. Communicators whose names differ by digits only share a row.
-- More than eight differences of one communicator are shown as one, with # for digits and the range of sizes.
WITH differs AS MATERIALIZED (
         SELECT d.*, coalesce(c.name, '(from ' || c.created_by || ')', '(no name)') AS name,
                coalesce(o.name, 'one from ' || o.created_by) AS other_name
         FROM disagreements d LEFT JOIN run_communicators c ON c.id = d.communicator
              LEFT JOIN run_communicators o ON o.id = d.other),
     many (about, communicator) AS MATERIALIZED (
         SELECT about, communicator FROM differs GROUP BY about, communicator
         HAVING count(DISTINCT kind || coalesce(attribute, key_location, keyval, value, size, other, '')) > 8),
     shown AS (
         SELECT d.*, m.about IS NOT NULL AS folded, CASE WHEN m.about IS NULL THEN d.value ELSE pattern(d.value) END AS shown
         FROM differs d LEFT JOIN many m ON m.about = d.about AND m.communicator = d.communicator)
SELECT about, pattern(name) AS communicator, count(DISTINCT communicator) AS count, kind, attribute, key_location, keyval,
       shown AS value, min(size) AS size, max(size) AS largest_size, min(remote_size) AS remote_size,
       max(remote_size) AS largest_remote_size, pattern(other_name) AS other, ranges(rank) AS ranks
FROM shown
GROUP BY about, pattern(name), kind, attribute, key_location, CASE WHEN NOT folded THEN keyval END, shown,
         CASE WHEN NOT folded THEN size END, CASE WHEN NOT folded THEN remote_size END, pattern(other_name)
ORDER BY instr('name size attribute messages order freed', about), 2, min(rank), kind, attribute, key_location, keyval,
         value, size
