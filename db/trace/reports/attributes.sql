-- Queries of attributes and their answers. A row names two objects; # replaces digits if names differ only by these.
-- More than four answers share a row.
WITH place (site, location) AS MATERIALIZED (
         SELECT site, location(site) FROM (SELECT site FROM attributes WHERE site <> 0
                                           UNION SELECT key_site FROM attributes WHERE key_site <> 0)),
     question AS MATERIALIZED (
         SELECT a.operation, a.predefined, a.kind, a.rank, l.label, a.calls, a.site, s.location,
                CASE WHEN a.predefined THEN a.key
                     ELSE coalesce('key from ' || k.location, 'key ' || a.keyval) END AS key,
                coalesce(a.error, CASE a.value_kind WHEN 'address' THEN 'an address'
                                       WHEN 'many' THEN 'different ones' END,
                         a.answer, CAST(a.value AS TEXT)) AS answer
         FROM attributes a LEFT JOIN labels l ON l.rank = a.rank AND l.object = a.object
              LEFT JOIN place k ON k.site = a.key_site LEFT JOIN place s ON s.site = a.site
         WHERE a.operation <> 'survey'),
     many AS MATERIALIZED (
         SELECT operation, key, kind, location FROM question GROUP BY 1, 2, 3, 4 HAVING count(DISTINCT answer) > 4),
     folded AS (
         SELECT q.*, CASE WHEN m.key IS NULL THEN q.answer END AS fold
         FROM question q LEFT JOIN many m ON m.operation = q.operation AND m.key = q.key AND m.kind IS q.kind
                                             AND m.location IS q.location),
     named AS (
         SELECT *, CASE WHEN min(label) OVER same = max(label) OVER same THEN label ELSE pattern(label) END AS shown,
                dense_rank() OVER (PARTITION BY operation, key, kind, fold, location
                                   ORDER BY label IS NULL, label GLOB '(*', pattern(label)) AS place
         FROM folded WINDOW same AS (PARTITION BY operation, key, kind, fold, location, pattern(label)))
SELECT operation, key,
       max(CASE place WHEN 1 THEN shown END) || coalesce(', ' || max(CASE place WHEN 2 THEN shown END), '')
       || CASE WHEN max(place) > 2 THEN ' and ' || (max(place) - 2) || ' more' ELSE '' END AS object,
       CASE WHEN count(DISTINCT answer) > 1 THEN count(DISTINCT answer) || ' different ones'
            ELSE max(answer) END AS answer,
       sum(calls) AS calls, ranges(rank) AS ranks, min(site) AS site
FROM named GROUP BY operation, key, kind, fold, location
ORDER BY max(predefined) DESC, key, instr('get set copy delete free ', operation || ' '), 5 DESC, min(rank), 3, 4
