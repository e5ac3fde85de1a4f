-- Views: where the MPI time and the bytes went.

CREATE VIEW communicator_time ( -- where the MPI time went, by communicator; those of equal name, size, parent and birthplace together, where derived names count as none
    communicator, -- name, or how the first of them was made; "(no communicator)"
    names, -- how many different names share the row
    size, -- number of processes
    parent, -- name of the communicator it was made from
    ranks, -- that used it
    objects, -- communicators, all ranks together
    calls, -- of MPI functions on it
    seconds, -- in them, all ranks together
    percent, -- of all MPI time
    sent_bytes, -- passed in
    received_bytes -- taken out
) AS
SELECT CASE min(u.object) WHEN 0 THEN '(no communicator)' ELSE coalesce(nullif(o.name, ''),
           '(communicator ' || min(u.object) || coalesce(', from ' || m.name, '') || ')') END,
       count(DISTINCT o.name), c.size, nullif(p.name, ''), count(DISTINCT u.rank), sum(u.object > 0), sum(u.calls), sum(u.time_ns) / 1e9,
       sum(u.time_ns) * 100.0 / nullif((SELECT sum(time_ns) FROM profile), 0), sum(u.sent_bytes), sum(u.received_bytes)
FROM (SELECT rank, communicator AS object, sum(calls) AS calls, sum(time_ns) AS time_ns, sum(sent_bytes) AS sent_bytes,
             sum(received_bytes) AS received_bytes FROM profile GROUP BY 1, 2) u
     LEFT JOIN object o ON o.rank = u.rank AND o.object = u.object LEFT JOIN function m ON m.function = o.function
     LEFT JOIN communicator c ON c.rank = u.rank AND c.object = u.object LEFT JOIN object p ON p.rank = o.rank AND p.object = o.parent
GROUP BY u.object = 0, CASE o.name_origin WHEN 'derived' THEN NULL ELSE nullif(o.name, '') END, c.size,
         CASE p.name_origin WHEN 'derived' THEN p.site ELSE nullif(p.name, '') END, o.function, o.site
ORDER BY sum(u.time_ns) DESC, 1;

CREATE VIEW function_time ( -- where the MPI time went, by function
    function, -- name
    class, -- of the function
    ranks, -- that called it
    calls, -- how many
    seconds, -- in them, all ranks together
    percent, -- of all MPI time
    longest_ns, -- the longest call
    sent_bytes, -- passed in
    received_bytes -- taken out
) AS
SELECT coalesce(f.name, 'function ' || p.function), f.class, count(DISTINCT p.rank), sum(p.calls), sum(p.time_ns) / 1e9,
       sum(p.time_ns) * 100.0 / nullif((SELECT sum(time_ns) FROM profile), 0), max(p.max_ns), sum(p.sent_bytes), sum(p.received_bytes)
FROM profile p LEFT JOIN function f ON f.function = p.function
GROUP BY p.function ORDER BY sum(p.time_ns) DESC, 1;

CREATE VIEW call_sites ( -- where the MPI time went, by place in the program
    function, -- MPI function
    place, -- from where it was called
    site, -- number of the place; 0: not known
    ranks, -- that called it from there
    calls, -- how many
    seconds, -- in them, all ranks together
    percent, -- of all MPI time
    sent_bytes, -- passed in
    received_bytes, -- taken out
    module, -- executable or library of the place
    build_id, -- its build id
    offset -- return address in the module's own numbering
) AS
SELECT coalesce(f.name, 'function ' || g.function), s.place, g.site, g.ranks, g.calls, g.time_ns / 1e9,
       g.time_ns * 100.0 / nullif((SELECT sum(time_ns) FROM profile), 0), g.sent_bytes, g.received_bytes, s.module, s.build_id, s.offset
FROM (SELECT function, site, count(DISTINCT rank) AS ranks, sum(calls) AS calls, sum(time_ns) AS time_ns, sum(sent_bytes) AS sent_bytes,
             sum(received_bytes) AS received_bytes FROM profile GROUP BY function, site) g
     LEFT JOIN function f ON f.function = g.function LEFT JOIN sites s ON s.site = g.site
ORDER BY g.time_ns DESC, 1, g.site;

CREATE VIEW calls ( -- the profile in words
    rank, -- of the process
    communicator, -- name, or how it was made; "(no communicator)"
    object, -- its number within the rank; 0: none
    function, -- name
    class, -- of the function
    site, -- from where
    size_class, -- 0: no bytes; else the larger of sent and received in one call was at least 2^(size_class - 1) bytes
    calls, -- how many
    time_ns, -- together
    min_ns, -- the shortest
    max_ns, -- the longest
    sent_bytes, -- passed in
    received_bytes -- taken out
) AS
SELECT p.rank, CASE p.communicator WHEN 0 THEN '(no communicator)' ELSE coalesce(nullif(o.name, ''),
           '(communicator ' || p.communicator || coalesce(', from ' || m.name, '') || ')') END,
       p.communicator, f.name, f.class, p.site, p.size_class, p.calls, p.time_ns, p.min_ns, p.max_ns, p.sent_bytes, p.received_bytes
FROM profile p LEFT JOIN object o ON o.rank = p.rank AND o.object = p.communicator LEFT JOIN function m ON m.function = o.function
     LEFT JOIN function f ON f.function = p.function;
