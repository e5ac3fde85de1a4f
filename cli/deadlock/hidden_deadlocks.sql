WITH placed AS (SELECT *, row_number() OVER (PARTITION BY circle ORDER BY NOT sends, rank) AS place FROM hidden_deadlocks),
     first AS (SELECT * FROM placed WHERE place = 1),
     -- the first other place where a member sends
     other AS (
         SELECT f.circle, p.site, min(p.place) FROM first f JOIN placed p ON p.circle = f.circle AND p.sends AND p.site <> f.site
         GROUP BY 1),
     circle AS (
         SELECT circle, ranges(rank) AS ranks, count(*) AS processes, iif(min(sends), 'sends', 'waits') AS subject
         FROM hidden_deadlocks GROUP BY 1)
SELECT json_group_array(json(found))
FROM (SELECT json_object('kind', 'hidden_deadlock', 'severity', 2, 'ranks', c.ranks, 'processes', c.processes,
                         'subject', c.subject, 'function', f.function, 'site', f.site,
                         'other_site', iif(location(charged(o.site)) IS location(charged(f.site)), NULL, o.site),
                         'communicator', (SELECT label FROM labels WHERE rank = f.rank AND object = f.object)) AS found
      FROM circle c JOIN first f USING (circle) LEFT JOIN other o USING (circle)
      ORDER BY circle)
HAVING count(*) > 0
