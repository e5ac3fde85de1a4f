-- Views: findings about attributes.

-- kept: overview
CREATE VIEW attribute_findings_by_rank ( -- findings about attributes, by rank
    kind, -- attribute_differs: ranks got several answers, but the standard has one for all of MPI_COMM_WORLD;
    -- tag_ub_too_small: MPI_TAG_UB below 32767, which the standard guarantees; attribute_refused: failed calls;
    -- attribute_not_set: queried, but never found or set there; attribute_never_asked: set under a key without
    -- delete function of the program, and never queried by the rank; never_freed_keyval: a key of the program
    rank, -- rank of the process
    object_kind, -- kind of object of the key; NULL: unknown
    object, -- number of the object within the rank; NULL: unknown, or about a key
    keyval, -- number of the key
    name, -- name of a predefined key: MPI_TAG_UB, ...; NULL: a key of the program
    key_site, -- call site that created the key; NULL: predefined, or unknown
    operation, -- refused: get, set, delete, free; else NULL
    answer, -- attribute_differs, tag_ub_too_small: the rank's answer; attribute_refused: the error
    calls, -- calls of the program; 0 if only callsign queried it; never_freed_keyval: 1 for each key
    site -- call site; NULL: several, or unknown
) AS
WITH said (rank, kind, object, keyval, name, key_object, key_site, operation, found, answer, value, error, calls,
           site) AS MATERIALIZED (
         SELECT rank, kind, nullif(object, 0), keyval, CASE WHEN predefined THEN key END, key_object, key_site,
                operation, found, answer, value, error, calls, nullif(site, 0)
         FROM attributes),
     -- attributes that are equal on all ranks of MPI_COMM_WORLD
     of_all (id, rank, object, keyval, name, answer, calls) AS MATERIALIZED (
         SELECT o.uid, s.rank, s.object, s.keyval, s.name, s.answer,
                sum(CASE s.operation WHEN 'get' THEN s.calls ELSE 0 END)
         FROM said s
              CROSS JOIN object o
                   ON o.rank = s.rank AND o.object = s.object AND o.kind = 'communicator' AND o.predefined
         WHERE s.operation IN ('get', 'survey') AND s.error IS NULL AND s.name IN ('MPI_TAG_UB', 'MPI_WTIME_IS_GLOBAL')
         GROUP BY 1, 2, 3, 4, 5, 6),
     there (rank, object, keyval, key_object) AS MATERIALIZED ( -- objects that have or had an attribute
         SELECT DISTINCT rank, object, keyval, coalesce(key_object, 0) FROM said
         WHERE found AND operation IN ('get', 'set', 'copy')),
     asked (rank, kind, keyval, key_object) AS MATERIALIZED (
         SELECT DISTINCT rank, kind, keyval, coalesce(key_object, 0) FROM said
         WHERE operation = 'get' AND error IS NULL)
SELECT 'attribute_differs', a.rank, 'communicator', a.object, a.keyval, a.name, NULL, NULL, a.answer, a.calls, NULL
FROM of_all a JOIN (SELECT id, name FROM of_all WHERE id IS NOT NULL GROUP BY 1, 2 HAVING min(answer) < max(answer)) d
     ON d.id = a.id AND d.name = a.name
UNION ALL
SELECT 'tag_ub_too_small', rank, kind, object, keyval, name, NULL, NULL, answer,
       sum(CASE operation WHEN 'get' THEN calls ELSE 0 END), NULL
FROM said WHERE name = 'MPI_TAG_UB' AND operation IN ('get', 'survey') AND error IS NULL AND found AND value < 32767
GROUP BY rank, object, keyval, answer
UNION ALL
SELECT 'attribute_refused', rank, kind, object, keyval, name, key_site, operation, error, calls, site FROM said
WHERE error IS NOT NULL
UNION ALL
SELECT 'attribute_not_set', s.rank, s.kind, s.object, s.keyval, s.name, s.key_site, NULL, NULL, s.calls, s.site
FROM said s
WHERE s.operation = 'get' AND s.error IS NULL AND NOT s.found
      AND (s.rank, s.object, s.keyval, coalesce(s.key_object, 0)) IN (SELECT * FROM there) IS NOT TRUE
UNION ALL
SELECT 'attribute_never_asked', s.rank, s.kind, s.object, s.keyval, s.name, s.key_site, NULL, NULL, s.calls, s.site
FROM said s
WHERE s.operation = 'set' AND s.error IS NULL
      AND (s.rank, s.kind, s.keyval, coalesce(s.key_object, 0)) IN (SELECT * FROM asked) IS NOT TRUE
      -- With a delete function of the program, a value may be used only when its object ends.
      AND NOT EXISTS (SELECT 1 FROM created_keyval k
                      WHERE k.rank = s.rank AND k.object = s.key_object AND k.delete_site IS NOT NULL
                            AND k.delete_function IS NULL)
UNION ALL
SELECT 'never_freed_keyval', l.rank, k.kind, NULL, k.keyval, NULL, l.site, NULL, NULL, 1, l.site
FROM leaks l LEFT JOIN created_keyval k ON k.rank = l.rank AND k.object = l.object WHERE l.kind = 'keyval';

CREATE VIEW attribute_findings ( -- findings about attributes
    kind, -- as in attribute_findings_by_rank
    ranks, -- as ranges: 0-3,7
    object_kind, -- kind of object of the key; NULL: unknown
    objects, -- number of objects on all ranks together; 0: unknown, or the finding is about a key
    attribute, -- name of a predefined key: MPI_TAG_UB, ...; NULL: a key of the program
    key_site, -- call site that created the key; NULL: predefined, or unknown
    keyval, -- number of the key, if it has neither a name nor a call site
    operation, -- refused: get, set, delete, free; else NULL
    answer, -- attribute_differs, tag_ub_too_small: the ranks' answer; attribute_refused: the error
    calls, -- calls of the program
    site -- call site; NULL: several, or unknown
) AS
WITH found AS (
         SELECT *, CASE WHEN name IS NULL AND key_site IS NULL THEN keyval END AS key FROM attribute_findings_by_rank),
     row AS MATERIALIZED (
         SELECT *, dense_rank() OVER (ORDER BY kind, object_kind, name, key_site, key, operation, answer, site)
                       AS number
         FROM found),
     range (number, first, last) AS (
         SELECT number, min(rank), max(rank)
         FROM (SELECT number, rank, rank - row_number() OVER (PARTITION BY number ORDER BY rank) AS shift
               FROM (SELECT DISTINCT number, rank FROM row))
         GROUP BY number, shift),
     ranges (number, ranks) AS MATERIALIZED (
         SELECT number, group_concat(first || CASE last - first WHEN 0 THEN '' WHEN 1 THEN ',' || last
                                                   ELSE '-' || last END, ',')
         FROM (SELECT * FROM range ORDER BY number, first) GROUP BY number)
SELECT f.kind, max(r.ranks), f.object_kind, count(DISTINCT f.rank || '.' || f.object), f.name, f.key_site, f.key,
       f.operation, f.answer, sum(f.calls), f.site
FROM row f JOIN ranges r ON r.number = f.number GROUP BY f.number ORDER BY f.number;
