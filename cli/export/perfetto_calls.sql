SELECT e.rank, e.thread, e.event, e.start_ns, e.start_ns + e.duration_ns, f.name, f.class, l.label, e.peer, e.tag,
       e.bytes, e.calls, e.collective, p.location
FROM temp.part_calls r CROSS JOIN event e ON e.rank = r.rank AND e.thread = r.thread
                                             AND e.event BETWEEN r.first AND r.last
     LEFT JOIN function f ON f.function = e.function
     LEFT JOIN labels l ON l.rank = e.rank AND l.object = e.object
     LEFT JOIN temp.call_place p ON p.site = e.site
WHERE r.part = ?3 AND e.start_ns BETWEEN ?1 AND ?2 - 1
ORDER BY r.rank, r.thread, e.start_ns, e.duration_ns DESC, e.event
