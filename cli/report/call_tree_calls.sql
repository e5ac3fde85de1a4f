SELECT c.rank, c.site, c.name AS function, c.lifecycle,
       coalesce(pattern(n.label), '(no communicator)') AS label, c.calls, c.open, c.time_ns,
       c.sent_bytes, c.received_bytes
FROM call_times c LEFT JOIN labels n
     ON n.rank = c.rank AND n.object = coalesce(nullif(c.object, 0), c.communicator)
ORDER BY c.rank
