-- One row for each difference and the ranks that have it. Communicators whose names differ by digits only share a row.
-- More than eight differences of one communicator are shown as one, with # for digits and the range of sizes.
-- column communicator: name of the communicator, or how it was created
-- column count: number of communicators with this difference
WITH differs AS MATERIALIZED (
         SELECT d.*, pattern(c.name) AS name, CASE WHEN c.name IS NULL THEN c.created_by END AS created_by,
                pattern(o.name) AS other_name, CASE WHEN o.name IS NULL THEN o.created_by END AS other_created_by
         FROM disagreements d LEFT JOIN run_communicators c ON c.id = d.communicator
              LEFT JOIN run_communicators o ON o.id = d.other),
     many (about, communicator) AS MATERIALIZED (
         SELECT about, communicator FROM differs GROUP BY about, communicator
         HAVING count(DISTINCT kind || coalesce(attribute, key_location, keyval, value, size, other, '')) > 8),
     shown AS (
         SELECT d.*, m.about IS NOT NULL AS folded,
                CASE WHEN m.about IS NULL THEN d.value ELSE pattern(d.value) END AS shown
         FROM differs d LEFT JOIN many m ON m.about = d.about AND m.communicator = d.communicator)
SELECT about, name AS communicator, created_by, count(DISTINCT communicator) AS count, kind, attribute AS key,
       key_location, keyval, shown AS value, min(size) AS size, max(size) AS largest_size,
       min(remote_size) AS remote_size, max(remote_size) AS largest_remote_size, other_name AS other,
       other_created_by, ranges(rank) AS ranks
FROM shown
GROUP BY about, name, created_by, kind, attribute, key_location, CASE WHEN NOT folded THEN keyval END, shown,
         CASE WHEN NOT folded THEN size END, CASE WHEN NOT folded THEN remote_size END, other_name,
         other_created_by
ORDER BY instr('name size attribute messages order freed', about), name IS NULL, name, created_by, min(rank), kind,
         attribute, key_location, keyval, value, size
