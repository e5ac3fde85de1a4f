-- One row for each statement and the ranks that make it. Communicators whose names differ by digits only share a row.
-- More than eight names of one communicator are shown as one, with # for digits.
WITH said (about, id, communicator, rank, finding) AS MATERIALIZED (
         SELECT d.about, d.communicator, coalesce(c.name, '(from ' || c.created_by || ')', '(no name)'), d.rank,
                d.finding || coalesce(' ' || pattern(coalesce(o.name, 'one from ' || o.created_by)), '')
         FROM disagreements d LEFT JOIN run_communicators c ON c.id = d.communicator
              LEFT JOIN run_communicators o ON o.id = d.other),
     many (about, id) AS MATERIALIZED (
         SELECT about, id FROM said GROUP BY about, id HAVING count(DISTINCT finding) > 8)
SELECT s.about, pattern(s.communicator) AS communicator, count(DISTINCT s.id) AS count,
       CASE WHEN m.id IS NULL THEN s.finding ELSE pattern(s.finding) END AS finding, ranges(s.rank) AS ranks
FROM said s LEFT JOIN many m ON m.about = s.about AND m.id = s.id
GROUP BY s.about, 2, 4
ORDER BY instr('name size attribute messages order freed', s.about), 2, min(s.rank), 4
