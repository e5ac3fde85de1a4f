WITH across (text, least, ranks, nodes, communicators) AS (
         SELECT coalesce(CASE count(*) WHEN 1 THEN min(c.name) ELSE pattern(c.name) END, '(from ' || r.created_by || ')',
                         '(no name)'), min(c.size), max(c.size), max(c.nodes), count(*)
         FROM communicator_nodes c JOIN run_communicators r ON r.id = c.id WHERE NOT c.predefined
         GROUP BY pattern(c.name), CASE WHEN c.name IS NULL THEN r.created_by END ORDER BY 2, 1),
     few (text) AS (
         SELECT substr(text, 1, 80) || CASE WHEN communicators > 1 THEN ' (' || communicators || ')' ELSE '' END
                || ', ' || ranks || ' ranks on ' || nodes || ' nodes' FROM across LIMIT 4),
     lost (text) AS (
         SELECT coalesce(pid, '?') || ' on ' || substr(coalesce(node, 'an unnamed node'), 1, 64)
         FROM process WHERE rank < 0 ORDER BY pid LIMIT 4)
SELECT 'Communicators across nodes: ' || group_concat(text, '; ')
       || coalesce('; and ' || nullif(max((SELECT count(*) FROM across) - 4, 0), 0) || ' more: view communicator_nodes', '')
       AS text
FROM few HAVING count(*)
UNION ALL
SELECT 'Processes without a rank: ' || group_concat(text, '; ')
       || coalesce('; and ' || nullif(max((SELECT count(*) FROM process WHERE rank < 0) - 4, 0), 0) || ' more', '')
FROM lost HAVING count(*)
