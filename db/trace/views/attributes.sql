-- Views: what stands out about attributes.

CREATE VIEW attribute_findings ( -- what stands out about attributes, rank by rank
    about, -- differs: the standard has one answer for all ranks of MPI_COMM_WORLD, and there are several; too small: MPI_TAG_UB below 32767, which the standard guarantees; refused: calls that failed; not set: asked for, and never found or set there; never asked: set, and nobody ever asked for that key; never freed: a key of the program
    rank, -- of the process
    kind, -- of the objects that the key is for; NULL: not known
    object, -- the object's number within the rank; NULL: not known, or about a key
    keyval, -- number of the key
    name, -- of a predefined key: MPI_TAG_UB, ...; NULL: the program's own
    key_site, -- call site that created the key; NULL: predefined, or not known
    operation, -- refused: get, set, delete, free; else NULL
    answer, -- differs, too small: that the rank got; refused: the error
    calls, -- of the program that it is about; differs, too small: 0 if only callsign asked; never freed: 1 for each key
    site -- call site; NULL: several, or not known
) AS
WITH said (rank, kind, object, keyval, name, key_site, operation, found, answer, value, error, calls, site) AS (
         SELECT a.rank, coalesce(a.kind, o.kind), nullif(a.object, 0), a.keyval, k.name, k.site, a.operation, a.found,
                CASE WHEN NOT a.found THEN 'not set' WHEN k.name = 'MPI_WTIME_IS_GLOBAL' THEN CASE a.value WHEN 0 THEN 'false' ELSE 'true' END
                     ELSE CAST(a.value AS TEXT) END,
                a.value, a.error, a.calls, nullif(a.site, 0)
         FROM attribute a LEFT JOIN object o ON o.rank = a.rank AND o.object = a.object
              LEFT JOIN keyval k ON k.rank = a.rank AND k.kind = coalesce(a.kind, o.kind) AND k.keyval = a.keyval),
     of_all (id, rank, object, keyval, name, answer, calls) AS MATERIALIZED ( -- what all ranks of MPI_COMM_WORLD are told alike
         SELECT o.uid, s.rank, s.object, s.keyval, s.name, s.answer, sum(CASE s.operation WHEN 'get' THEN s.calls ELSE 0 END)
         FROM said s JOIN object o ON o.rank = s.rank AND o.object = s.object AND o.kind = 'communicator' AND o.predefined
         WHERE s.operation IN ('get', 'survey') AND s.error IS NULL AND s.name IN ('MPI_TAG_UB', 'MPI_WTIME_IS_GLOBAL')
         GROUP BY 1, 2, 3, 4, 5, 6)
SELECT 'differs', a.rank, 'communicator', a.object, a.keyval, a.name, NULL, NULL, a.answer, a.calls, NULL
FROM of_all a JOIN (SELECT id, name FROM of_all WHERE id IS NOT NULL GROUP BY 1, 2 HAVING min(answer) < max(answer)) d
     ON d.id = a.id AND d.name = a.name
UNION ALL
SELECT 'too small', rank, kind, object, keyval, name, NULL, NULL, answer, sum(CASE operation WHEN 'get' THEN calls ELSE 0 END), NULL
FROM said WHERE name = 'MPI_TAG_UB' AND operation IN ('get', 'survey') AND error IS NULL AND found AND value < 32767
GROUP BY rank, object, keyval, answer
UNION ALL
SELECT 'refused', rank, kind, object, keyval, name, key_site, operation, error, calls, site FROM said WHERE error IS NOT NULL
UNION ALL
SELECT 'not set', s.rank, s.kind, s.object, s.keyval, s.name, s.key_site, NULL, NULL, s.calls, s.site
FROM said s
WHERE s.operation = 'get' AND s.error IS NULL AND NOT s.found
      AND NOT EXISTS (SELECT 1 FROM attribute a WHERE a.rank = s.rank AND a.object = s.object AND a.keyval = s.keyval AND a.found AND a.operation IN ('get', 'set'))
UNION ALL
SELECT 'never asked', s.rank, s.kind, s.object, s.keyval, s.name, s.key_site, NULL, NULL, s.calls, s.site
FROM said s
WHERE s.operation = 'set' AND s.error IS NULL
      AND (s.rank, s.kind, s.keyval) NOT IN (SELECT rank, kind, keyval FROM said WHERE operation = 'get' AND error IS NULL AND kind IS NOT NULL)
UNION ALL
SELECT 'never freed', l.rank, CASE WHEN l.created_by GLOB 'MPI_Type*' THEN 'datatype' WHEN l.created_by GLOB 'MPI_Win*' THEN 'window' ELSE 'communicator' END,
       NULL, o.handle - CASE WHEN o.handle >= 1 << 31 THEN 1 << 32 ELSE 0 END, NULL, l.site, NULL, NULL, 1, l.site -- a handle without its sign
FROM leaks l JOIN object o ON o.rank = l.rank AND o.object = l.object WHERE l.kind = 'keyval';
