WITH copy AS MATERIALIZED (
         SELECT a.*, location(charged(nullif(a.key_site, 0))) AS key_location, location(k.copy_site) AS copy_location,
                v.copy_function AS named_function
         FROM attributes a LEFT JOIN created_keyval k ON k.rank = a.rank AND k.object = a.key_object
              LEFT JOIN keyvals v ON v.rank = a.rank AND v.object = a.key_object
         WHERE a.operation = 'copy')
SELECT NULL AS key, key_location, CASE WHEN key_location IS NULL THEN keyval END AS keyval,
       CASE WHEN copy_location NOT GLOB '*+0x*' THEN copy_location ELSE named_function END AS copy_function,
       sum(calls) AS duplicates, sum(calls * found) AS got, ranges(rank) AS ranks
FROM copy GROUP BY 2, 3, 4 ORDER BY sum(calls) DESC, 2, 3
