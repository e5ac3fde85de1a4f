-- First the verdict, and lines for what stands out (view attribute_findings). Keys of the program are told by where it created them: ranks may
-- have other numbers for the same one. Two objects are named in a row, with # where names differ by digits only; more than four answers
-- share a row.
WITH place (site, location) AS MATERIALIZED (
         SELECT site, location(site) FROM (SELECT site FROM attribute_findings WHERE site <> 0 UNION SELECT key_site FROM attribute_findings WHERE key_site <> 0
                                     UNION SELECT key_site FROM attributes WHERE operation = 'copy' AND key_site <> 0)),
     finding (about, rank, label, key, operation, answer, calls, location) AS MATERIALIZED (
         SELECT f.about, f.rank, l.label, coalesce(f.name, 'the key from ' || k.location, 'key ' || f.keyval), f.operation, f.answer, f.calls, s.location
         FROM attribute_findings f LEFT JOIN labels l ON l.rank = f.rank AND l.object = f.object
              LEFT JOIN place k ON k.site = f.key_site LEFT JOIN place s ON s.site = f.site),
     asked (keys, calls, stored) AS MATERIALIZED (
         SELECT count(DISTINCT CASE operation WHEN 'get' THEN coalesce(kind, '') || coalesce('.' || key_site, keyval) END),
                CAST(total(CASE operation WHEN 'get' THEN calls END) AS INT), total(CASE operation WHEN 'set' THEN calls END)
         FROM attributes WHERE operation <> 'survey'),
     whole (about, keys, calls) AS MATERIALIZED (SELECT about, count(DISTINCT key), sum(calls) FROM finding GROUP BY 1),
     issue (number, text) AS (
         SELECT 1, group_concat(key, ' and ') || CASE count(*) WHEN 1 THEN ' differs' ELSE ' differ' END || ' between ranks'
         FROM (SELECT DISTINCT key FROM finding WHERE about = 'differs' ORDER BY 1) HAVING count(*) > 0
         UNION ALL SELECT 2, 'MPI_TAG_UB is below the guaranteed 32767' FROM whole WHERE about = 'too small'
         UNION ALL SELECT 3, calls || CASE calls WHEN 1 THEN ' call was refused' ELSE ' calls were refused' END FROM whole WHERE about = 'refused'
         UNION ALL SELECT 4, keys || CASE keys WHEN 1 THEN ' is' ELSE ' are' END || ' not set where asked for' FROM whole WHERE about = 'not set'
         UNION ALL SELECT 5, keys || CASE keys WHEN 1 THEN ' is' ELSE ' are' END || ' set and never asked for' FROM whole WHERE about = 'never asked'
         UNION ALL SELECT 6, calls || CASE calls WHEN 1 THEN ' key was' ELSE ' keys were' END || ' never freed' FROM whole WHERE about = 'never freed'),
     seen (about, rank, key, operation, answer, calls, location, shown, place) AS ( -- place: of the object's name among those of the line
         SELECT about, rank, key, operation, answer, calls, location,
                CASE WHEN min(label) OVER same = max(label) OVER same THEN label ELSE pattern(label) END,
                dense_rank() OVER (PARTITION BY about, key, operation, answer, location ORDER BY label IS NULL, label GLOB '(*', pattern(label))
         FROM finding WINDOW same AS (PARTITION BY about, key, operation, answer, location, pattern(label))),
     told (about, key, operation, answer, calls, ranks, first, location) AS (
         SELECT about, key || coalesce(' of ' || max(CASE place WHEN 1 THEN shown END), '') || coalesce(', ' || max(CASE place WHEN 2 THEN shown END), '')
                || CASE WHEN max(place) > 2 THEN ' and ' || (max(place) - 2) || ' more' ELSE '' END,
                operation, answer, sum(calls), CASE count(DISTINCT rank) WHEN 1 THEN ' rank ' ELSE ' ranks ' END || ranges(rank), min(rank),
                coalesce(' at ' || location, '')
         FROM seen GROUP BY about, key, operation, answer, location),
     line (number, place, line) AS MATERIALIZED (
         SELECT CASE about WHEN 'differs' THEN 1 WHEN 'too small' THEN 2 WHEN 'refused' THEN 3 WHEN 'not set' THEN 4 WHEN 'never asked' THEN 5 ELSE 6 END,
                row_number() OVER (PARTITION BY about ORDER BY CASE WHEN about IN ('differs', 'too small') THEN key END, -calls, first, key, operation),
                CASE about
                WHEN 'differs' THEN 'Differs: ' || key || ' is ' || answer || ' on' || ranks
                WHEN 'too small' THEN 'Too small: ' || key || ' is ' || answer || ' on' || ranks
                WHEN 'refused' THEN 'Refused with ' || answer || ': ' || operation || ' ' || key || ', ' || calls
                                    || CASE calls WHEN 1 THEN ' call by' ELSE ' calls by' END || ranks || location
                WHEN 'not set' THEN 'Not set: ' || key || ', asked ' || CASE calls WHEN 1 THEN 'once by' ELSE calls || ' times by' END || ranks || location
                WHEN 'never asked' THEN 'Never asked for: ' || key || ', set ' || CASE calls WHEN 1 THEN 'once by' ELSE calls || ' times by' END || ranks || location
                ELSE 'Never freed: ' || key || CASE calls WHEN 1 THEN ', by' ELSE ', ' || calls || ' times by' END || ranks END
         FROM told),
     copied (key, copy_function, duplicates, got, ranks) AS ( -- which values travel with a duplicate. A function is told by the address behind its first byte
         SELECT coalesce('the key from ' || p.location, 'key ' || a.keyval),
                CASE WHEN location(k.copy_site) NOT GLOB '*+0x*' THEN location(k.copy_site) ELSE v.copy_function END, sum(a.calls), sum(a.calls * a.found),
                CASE count(DISTINCT a.rank) WHEN 1 THEN ', rank ' ELSE ', ranks ' END || ranges(a.rank)
         FROM attributes a LEFT JOIN created_keyval k ON k.rank = a.rank AND k.object = a.key_object
              LEFT JOIN keyvals v ON v.rank = a.rank AND v.object = a.key_object LEFT JOIN place p ON p.site = a.key_site
         WHERE a.operation = 'copy' GROUP BY 1, 2),
     every_line (number, place, view, line) AS MATERIALIZED (
         SELECT number, place, 'attribute_findings', line FROM line
         UNION ALL
         SELECT 7, row_number() OVER (ORDER BY duplicates DESC, key), 'attributes',
                CASE WHEN got = 0 THEN 'Stays behind: ' WHEN got = duplicates THEN 'Travels: ' ELSE 'Travels sometimes: ' END || key || ', '
                || CASE WHEN duplicates = 1 THEN CASE got WHEN 0 THEN 'not to the only duplicate' ELSE 'to the only duplicate' END
                        WHEN got = 0 THEN 'to none of ' || duplicates || ' duplicates' WHEN got = duplicates THEN 'to all ' || got || ' duplicates'
                        ELSE 'to ' || got || ' of ' || duplicates || ' duplicates' END || coalesce(', by ' || copy_function, '') || ranks
         FROM copied),
     offered (key, answers) AS (
         SELECT key, group_concat(DISTINCT answer) FROM attributes WHERE operation = 'survey' AND error IS NULL GROUP BY key)
SELECT CASE WHEN keys > 0 THEN 'The program asked ' || CASE calls WHEN 1 THEN 'once' ELSE calls || ' times' END || ' for ' || keys
                               || CASE keys WHEN 1 THEN ' attribute' ELSE ' attributes' END
            WHEN stored > 0 THEN 'The program set attributes and asked for none' ELSE 'The program asked for no attribute' END
       || coalesce(': ' || (SELECT group_concat(text, ', ') FROM (SELECT text FROM issue ORDER BY number)), '') AS line
FROM asked
UNION ALL
SELECT line
FROM (SELECT number, place, line FROM every_line WHERE place <= 6
      UNION ALL
      SELECT number, 7, 'and ' || count(*) || ' more like that: view ' || view FROM every_line WHERE place > 6 GROUP BY number
      ORDER BY 1, 2)
UNION ALL
SELECT 'This MPI offers ' || group_concat(key || ' ' || answers, ', ')
FROM (SELECT key, CASE WHEN answers GLOB '*,*,*,*,*' THEN '(different ones)' ELSE replace(answers, ',', ' or ') END AS answers
      FROM offered ORDER BY answers = 'not set', key) HAVING count(*) > 0;

WITH place (site, location) AS MATERIALIZED (
         SELECT site, location(site) FROM (SELECT site FROM attributes WHERE site <> 0 UNION SELECT key_site FROM attributes WHERE key_site <> 0)),
     said (operation, predefined, key, kind, rank, label, answer, calls, site, location) AS MATERIALIZED (
         SELECT a.operation, a.predefined, CASE WHEN a.predefined THEN a.key ELSE coalesce('key from ' || k.location, 'key ' || a.keyval) END, a.kind, a.rank,
                l.label, coalesce(a.error, CASE a.value_kind WHEN 'address' THEN 'an address' WHEN 'many' THEN 'different ones' END, a.answer, CAST(a.value AS TEXT)),
                a.calls, a.site, s.location
         FROM attributes a LEFT JOIN labels l ON l.rank = a.rank AND l.object = a.object
              LEFT JOIN place k ON k.site = a.key_site LEFT JOIN place s ON s.site = a.site
         WHERE a.operation <> 'survey'),
     many (operation, key, kind, location) AS MATERIALIZED (
         SELECT operation, key, kind, location FROM said GROUP BY 1, 2, 3, 4 HAVING count(DISTINCT answer) > 4),
     folded (operation, predefined, key, kind, rank, label, answer, fold, calls, site, location) AS (
         SELECT s.operation, s.predefined, s.key, s.kind, s.rank, s.label, s.answer, CASE WHEN m.key IS NULL THEN s.answer END, s.calls, s.site, s.location
         FROM said s LEFT JOIN many m ON m.operation = s.operation AND m.key = s.key AND m.kind IS s.kind AND m.location IS s.location),
     seen (operation, predefined, key, kind, rank, shown, place, answer, fold, calls, site, location) AS (
         SELECT operation, predefined, key, kind, rank, CASE WHEN min(label) OVER same = max(label) OVER same THEN label ELSE pattern(label) END,
                dense_rank() OVER (PARTITION BY operation, key, kind, fold, location ORDER BY label IS NULL, label GLOB '(*', pattern(label)),
                answer, fold, calls, site, location
         FROM folded WINDOW same AS (PARTITION BY operation, key, kind, fold, location, pattern(label)))
SELECT operation, key, max(CASE place WHEN 1 THEN shown END) || coalesce(', ' || max(CASE place WHEN 2 THEN shown END), '')
                       || CASE WHEN max(place) > 2 THEN ' and ' || (max(place) - 2) || ' more' ELSE '' END AS object,
       CASE WHEN count(DISTINCT answer) > 1 THEN count(DISTINCT answer) || ' different ones' ELSE max(answer) END AS answer, sum(calls) AS calls, ranges(rank) AS ranks, min(site) AS site
FROM seen GROUP BY operation, key, kind, fold, location
ORDER BY max(predefined) DESC, key, CASE operation WHEN 'get' THEN 1 WHEN 'set' THEN 2 WHEN 'copy' THEN 3 WHEN 'delete' THEN 4 ELSE 5 END, 5 DESC, min(rank), 3, 4
