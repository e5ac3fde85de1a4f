-- Call sites on one source line count as one.
WITH left_over AS MATERIALIZED (
         SELECT l.rank, l.kind, l.created_by, l.charged_site
         FROM leaks l JOIN process p ON p.rank = l.rank AND p.outcome = 'finalized'),
     part (objects, text) AS (
         SELECT f.objects,
                iif(f.least < f.most, f.least || ' to ', '') || f.most || ' ' || f.object_kind || iif(f.most = 1, '', 's')
                || CASE WHEN (SELECT count(*) FROM process) = 1 THEN '' WHEN n.ranks = 1 THEN ' on rank ' || f.ranks
                        ELSE ' on each of ' || n.ranks || ' ranks (' || f.objects || ' in total)' END
         FROM leak_findings f
              JOIN (SELECT kind, count(DISTINCT rank) AS ranks FROM left_over GROUP BY kind) n ON n.kind = f.object_kind
         ORDER BY f.objects DESC, f.object_kind),
     source (objects, function, place) AS (
         SELECT count(*), created_by, location(charged(min(charged_site)))
         FROM left_over GROUP BY created_by, location(charged_site)
         ORDER BY 1 DESC, created_by, location(charged_site) LIMIT 1)
SELECT 'leak' AS kind,
       'Never freed: ' || group_concat(p.text, ', ') || '; '
       || iif(s.objects < sum(p.objects), s.objects || ' of ' || sum(p.objects) || ' by ', 'all by ')
       || coalesce(s.function, '?') || coalesce(' at ' || nullif(s.place, ''), '') AS text
FROM part p, source s HAVING count(*)
