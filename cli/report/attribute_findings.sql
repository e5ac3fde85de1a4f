WITH finding AS MATERIALIZED (
         SELECT f.kind, f.rank, l.label, f.name AS key, location(charged(nullif(f.key_site, 0))) AS key_location,
                f.keyval, f.operation, f.answer, f.calls, location(charged(nullif(f.site, 0))) AS location
         FROM attribute_findings_by_rank f LEFT JOIN labels l ON l.rank = f.rank AND l.object = f.object)
SELECT kind, key, key_location, CASE WHEN key IS NULL AND key_location IS NULL THEN keyval END AS keyval,
       operation, answer, location, sum(calls) AS calls, ranges(rank) AS ranks, min(rank) AS first,
       label(label, 1) AS object, label(label, 2) AS other_object, labels(label) AS objects
FROM finding GROUP BY kind, key, key_location, 4, operation, answer, location
ORDER BY operation, answer, location
