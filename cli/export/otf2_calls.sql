WITH place (site, location) AS MATERIALIZED (
         SELECT site, location(site) FROM (SELECT DISTINCT site FROM event WHERE site IS NOT NULL)),
     exclusive (rank, thread, event) AS MATERIALIZED (
         SELECT rank, thread, event FROM event_window WHERE nth IS NULL AND event IS NOT NULL)
SELECT e.rank, e.thread, e.event, e.start_ns, e.start_ns + e.duration_ns, e.function, e.object, e.peer, e.tag,
       e.bytes, e.calls, e.collective, e.direction, p.location, x.rank IS NOT NULL
FROM event e LEFT JOIN place p ON p.site = e.site
     LEFT JOIN exclusive x ON x.rank = e.rank AND x.thread = e.thread AND x.event = e.event
WHERE e.rank >= 0
ORDER BY e.rank, e.thread, e.start_ns, e.duration_ns DESC, e.event
