-- The verdict: the largest tag against what every MPI allows, this one and others (view tag_limits). Tags that are used on one side only.
-- Then by communicator, those whose names differ by digits only together, and call site, the largest first.
WITH used AS MATERIALIZED (SELECT communicator, direction, largest_tag AS tag, messages, site FROM tags),
     asked (rank, value, by_program) AS MATERIALIZED (
         SELECT a.rank, CASE WHEN a.found AND a.value_kind = 'integer' THEN a.value END, a.operation = 'get'
         FROM attribute a JOIN object o ON o.rank = a.rank AND o.object = a.object
              JOIN keyval k ON k.rank = a.rank AND k.kind = coalesce(a.kind, o.kind) AND k.keyval = a.keyval AND k.name = 'MPI_TAG_UB'
         WHERE a.operation IN ('get', 'survey') AND a.error IS NULL),
     bound (least, ranks) AS (SELECT min(value), count(DISTINCT CASE WHEN by_program THEN rank END) FROM asked),
     largest AS (SELECT * FROM used ORDER BY tag DESC, direction = 'receive', messages DESC, communicator LIMIT 1),
     refusing (mpis) AS (
         SELECT group_concat(mpi || ' (' || largest_tag || ')', ', ')
         FROM (SELECT t.mpi, t.largest_tag FROM tag_limits t, largest l WHERE t.largest_tag < l.tag AND t.largest_tag > 32767 ORDER BY t.largest_tag)),
     lonely AS MATERIALIZED (
         SELECT pattern(communicator) AS name, communicator, direction, tag, last_tag, messages, site FROM tags_on_one_side),
     alone (name, direction, site, tags, messages, number) AS (
         SELECT CASE count(DISTINCT communicator) WHEN 1 THEN min(communicator) ELSE name END, direction, site,
                CASE WHEN max(last_tag > tag) THEN printf('%d to %d', min(tag), max(last_tag)) ELSE ranges(tag) END, sum(messages),
                row_number() OVER (ORDER BY sum(messages) DESC, name, direction, site)
         FROM lonely GROUP BY name, direction, site),
     line (section, a, line) AS (
         SELECT 0, 0, 'The largest tag is ' || l.tag || ', on ' || substr(l.communicator, 1, 60) || CASE WHEN l.site = 0 THEN '' ELSE ', ' ||
                      CASE l.direction WHEN 'send' THEN 'sent' ELSE 'received' END || ' from ' || location(l.site) END
                || CASE WHEN l.tag <= 32767 THEN ': every MPI allows tags up to 32767'
                        WHEN b.ranks > 0 THEN ': above 32767, but the program asked for MPI_TAG_UB'
                                              || CASE WHEN l.tag <= b.least THEN ' (' || b.least || ') and stays within' ELSE coalesce(' (' || b.least || ') and is above it', '') END
                        ELSE ': above 32767, the only bound that every MPI guarantees, and the program never asked for MPI_TAG_UB'
                             || coalesce(', here ' || b.least, '') END
         FROM largest l, bound b
         UNION ALL
         SELECT 0, 1, coalesce('Too large for ' || mpis, 'Of the MPIs whose limit is known, the least allows ' || (SELECT min(largest_tag) FROM tag_limits WHERE largest_tag > 32767)
                                                         || ': view tag_limits')
         FROM refusing, bound, largest WHERE ranks = 0 AND tag > 32767
         UNION ALL
         SELECT 1, a.number, CASE a.direction WHEN 'send' THEN 'Sent and never received' ELSE 'Received and never sent' END || ' on ' || substr(a.name, 1, 60) || ': '
                || CASE WHEN a.tags GLOB '*[^0-9]*' THEN 'tags ' ELSE 'tag ' END
                || CASE WHEN length(a.tags) > 60 THEN rtrim(substr(a.tags, 1, 57), '0123456789-') || '...' ELSE a.tags END
                || ', ' || a.messages || CASE a.messages WHEN 1 THEN ' message' ELSE ' messages' END || CASE WHEN a.site = 0 THEN '' ELSE ', from ' || location(a.site) END
         FROM alone a WHERE a.number <= 5
         UNION ALL
         SELECT 1, 6, 'and ' || (max(number) - 5) || ' more like that: view tags_on_one_side' FROM alone HAVING max(number) > 5)
SELECT line FROM line ORDER BY section, a;

WITH used AS MATERIALIZED (
         SELECT pattern(communicator) AS name, communicator, communicator_uid AS id, direction, tag, last_tag, largest_tag, messages, ranks, site FROM tags),
     kind (name, count, direction, tags, largest, messages, ranks, site, number) AS (
         SELECT CASE count(DISTINCT communicator) WHEN 1 THEN min(communicator) ELSE name END, count(DISTINCT id), direction,
                CASE WHEN max(last_tag > tag) THEN printf('%d to %d', min(tag), max(largest_tag)) ELSE ranges(tag) END, max(largest_tag), sum(messages),
                max(ranks), site, row_number() OVER (ORDER BY max(largest_tag) DESC, name, direction DESC, sum(messages) DESC, site)
         FROM used GROUP BY name, direction, site)
SELECT CASE WHEN number <= 40 THEN name ELSE 'and ' || count(*) || ' more: view tags' END AS communicator, sum(count) AS count, CASE WHEN number <= 40 THEN direction END AS direction,
       CASE WHEN number <= 40 THEN CASE WHEN length(tags) > 40 THEN rtrim(substr(tags, 1, 37), '0123456789-') || '...' ELSE tags END END AS tags,
       max(largest) AS largest, sum(messages) AS messages, CASE WHEN number <= 40 THEN site END AS site
FROM kind GROUP BY min(number, 41) ORDER BY min(number)
