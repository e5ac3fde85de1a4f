-- Queries of attributes and their answers. Objects whose names differ only by digits count as one. More than four
-- answers share a row.
-- column object: objects with this answer, or the first of them
-- column ranks: ranks that made these calls
WITH question AS MATERIALIZED (
         SELECT a.operation, a.predefined, a.kind, a.rank, l.label, a.calls, a.site,
                location(charged(nullif(a.site, 0))) AS location, CASE WHEN a.predefined THEN a.key END AS key,
                CASE WHEN NOT a.predefined THEN location(charged(nullif(a.key_site, 0))) END AS key_location, a.keyval,
                CASE WHEN a.error IS NULL AND a.value_kind IN ('address', 'many') THEN a.value_kind END AS value_kind,
                coalesce(a.error, CASE WHEN a.value_kind NOT IN ('address', 'many')
                                       THEN coalesce(a.answer, CAST(a.value AS TEXT)) END) AS answer
         FROM attributes a LEFT JOIN labels l ON l.rank = a.rank AND l.object = a.object
         WHERE a.operation <> 'survey'),
     keyed AS MATERIALIZED (
         SELECT *, CASE WHEN key IS NULL AND key_location IS NULL THEN keyval END AS number,
                coalesce(' ' || value_kind, answer, '') AS seen,
                coalesce(key, ' ' || key_location, '  ' || keyval) AS same_key
         FROM question),
     many AS MATERIALIZED (
         SELECT operation, same_key, kind, location FROM keyed GROUP BY 1, 2, 3, 4 HAVING count(DISTINCT seen) > 4),
     folded AS (
         SELECT k.*, CASE WHEN m.same_key IS NULL THEN k.seen END AS fold
         FROM keyed k LEFT JOIN many m ON m.operation = k.operation AND m.same_key = k.same_key AND m.kind IS k.kind
                                          AND m.location IS k.location)
SELECT operation, key, key_location, number AS keyval, label(label, 1) AS object, label(label, 2) AS other_object,
       labels(label) AS objects, CASE WHEN count(DISTINCT seen) = 1 THEN max(answer) END AS answer,
       CASE WHEN count(DISTINCT seen) = 1 THEN max(value_kind) END AS value_kind, count(DISTINCT seen) AS answers,
       sum(calls) AS calls, ranges(rank) AS ranks, min(site) AS site
FROM folded GROUP BY operation, key, key_location, number, kind, fold, location
ORDER BY max(predefined) DESC, key, key_location, number, instr('get set copy delete free ', operation || ' '),
         sum(calls) DESC, min(rank), object, answer
