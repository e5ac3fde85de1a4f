-- Views read like answers. They work on one rank's file and on a merged run alike. Every column has a comment: see schema.sql.

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

CREATE VIEW communicators ( -- the communicators of the run; those of equal name, size, parent and birthplace together, where derived names count as none
    name, -- of one of them; NULL: none has one
    names, -- how many different names share the row
    name_origin, -- program, mpi, rule, derived
    size, -- number of processes
    parent, -- name of the communicator it was made from
    made_by, -- function
    made_at, -- place
    ranks, -- that have such a communicator
    objects, -- how many they have together
    freed, -- how many of these were freed
    topology, -- none, graph, cart, dist_graph
    born_ns, -- the first
    first_object -- lowest number that one of them has
) AS
SELECT g.name, g.names, g.name_origin, g.size, g.parent, f.name, s.place, g.ranks, g.objects, g.freed, g.topology, g.born_ns, g.first_object
FROM (SELECT CASE o.name_origin WHEN 'derived' THEN NULL ELSE nullif(o.name, '') END, c.size,
             CASE p.name_origin WHEN 'derived' THEN p.site ELSE nullif(p.name, '') END, o.function, o.site,
             min(nullif(o.name, '')) AS name, count(DISTINCT o.name) AS names, max(o.name_origin) AS name_origin,
             min(nullif(p.name, '')) AS parent, count(DISTINCT o.rank) AS ranks, count(*) AS objects, sum(o.freed_ns IS NOT NULL) AS freed, max(c.topology) AS topology,
             min(o.born_ns) AS born_ns, min(o.object) AS first_object
      FROM object o LEFT JOIN communicator c USING (rank, object) LEFT JOIN object p ON p.rank = o.rank AND p.object = o.parent
      WHERE o.kind = 'communicator' GROUP BY 1, 2, 3, o.function, o.site) g
     LEFT JOIN function f ON f.function = g.function LEFT JOIN sites s ON s.site = g.site
ORDER BY g.first_object;

CREATE VIEW objects ( -- every object of every rank, in words
    rank, -- of the process
    object, -- number within the rank
    kind, -- communicator, datatype, window, file, ...
    label, -- its name, or how it was made if it has none
    name, -- its name
    name_origin, -- who gave it
    parent, -- label of the object it was made from
    made_by, -- function
    made_at, -- place
    library, -- whose code made it: executable or library, callsign, MPI and C library left out
    born_ns, -- when
    freed_by, -- function
    freed_at, -- place
    freed_ns, -- when; NULL: never
    internal, -- 1: made inside the MPI library
    predefined, -- 1: the MPI's own
    detail -- arguments of the call that made it, as JSON
) AS
SELECT o.rank, o.object, o.kind,
       coalesce(nullif(o.name, ''), '(' || o.kind || ' ' || o.object || coalesce(', from ' || f.name, '') || ')'), o.name, o.name_origin,
       coalesce(nullif(p.name, ''), '(' || p.kind || ' ' || p.object || coalesce(', from ' || pf.name, '') || ')'), f.name, s.place,
       l.library, o.born_ns, ff.name, fs.place, o.freed_ns, o.internal, o.predefined, o.detail
FROM object o LEFT JOIN function f ON f.function = o.function LEFT JOIN sites s ON s.site = o.site
     LEFT JOIN object p ON p.rank = o.rank AND p.object = o.parent LEFT JOIN function pf ON pf.function = p.function
     LEFT JOIN function ff ON ff.function = o.freed_function LEFT JOIN sites fs ON fs.site = o.freed_site
     LEFT JOIN libraries l ON l.site = o.site;

CREATE VIEW object_counts ( -- objects that the program made, freed and left, by kind and function
    kind, -- communicator, datatype, window, file, ...
    made_by, -- function
    ranks, -- that made such objects
    made, -- how many
    freed, -- of these
    remaining -- of these: never freed
) AS
SELECT o.kind, f.name, count(DISTINCT o.rank), count(*), sum(o.freed_ns IS NOT NULL), sum(o.freed_ns IS NULL)
FROM object o LEFT JOIN function f ON f.function = o.function
WHERE o.function IS NOT NULL AND NOT o.internal AND NOT o.predefined AND NOT o.adopted
GROUP BY o.kind, o.function ORDER BY o.kind, count(*) DESC, f.name;

CREATE VIEW leaks ( -- made by the program and never freed (or not yet: see processes.outcome)
    rank, -- of the process
    kind, -- communicator, datatype, window, file, ...
    object, -- number within the rank
    name, -- its name
    made_by, -- function
    site, -- where it was made
    library, -- whose code made it: executable or library, callsign, MPI and C library left out
    born_ns -- when
) AS
SELECT o.rank, o.kind, o.object, o.name, f.name, o.site, l.library, o.born_ns
FROM object o LEFT JOIN function f ON f.function = o.function LEFT JOIN libraries l ON l.site = o.site
WHERE o.freed_ns IS NULL AND o.function IS NOT NULL AND NOT o.internal AND NOT o.predefined AND NOT o.adopted
      AND o.kind NOT IN ('keyval', 'request');

CREATE VIEW leaks_by_site ( -- leaks, by the place that makes them
    kind, -- communicator, datatype, window, file, ...
    made_by, -- function
    made_at, -- place
    objects, -- how many, all ranks together
    ranks, -- that leak there
    a_name -- name of one of them
) AS
SELECT l.kind, l.made_by, s.place, count(*), count(DISTINCT l.rank), max(l.name)
FROM leaks l LEFT JOIN sites s USING (site) GROUP BY l.kind, l.made_by, s.place ORDER BY count(*) DESC, 1, 2, 3;

CREATE VIEW names ( -- every name that was ever given
    rank, -- of the process
    at_ns, -- when
    kind, -- of the object
    object, -- number within the rank
    name, -- that was given
    origin, -- who gave it: program, mpi, rule, derived
    named_at -- place
) AS
SELECT n.rank, n.at_ns, o.kind, n.object, n.name, n.origin, s.place
FROM naming n LEFT JOIN object o USING (rank, object) LEFT JOIN sites s ON s.site = n.site;

CREATE VIEW rules ( -- the naming rules that were in force (CALLSIGN_NAMES), and what they named
    rule, -- line in the file
    text, -- conditions -> name
    ranks, -- in which it was in force
    objects, -- that it named, all ranks together
    examples -- up to three of these names
) AS
WITH given (rule, text, name, objects, place) AS (
    SELECT r.rule, r.text, n.name, count(*), row_number() OVER (PARTITION BY r.rule, r.text ORDER BY min(n.object), n.name)
    FROM rule r JOIN naming n ON n.rank = r.rank AND n.rule = r.rule GROUP BY r.rule, r.text, n.name)
SELECT r.rule, r.text, count(*), (SELECT coalesce(sum(objects), 0) FROM given g WHERE g.rule = r.rule AND g.text = r.text),
       (SELECT group_concat(name, ', ') FROM given g WHERE g.rule = r.rule AND g.text = r.text AND g.place <= 3)
FROM rule r GROUP BY r.rule, r.text ORDER BY r.rule, r.text;

CREATE VIEW unnamed ( -- objects that could have a name and that neither the program nor a naming rule named, by the place that makes them
    kind, -- communicator, datatype, window
    made_by, -- function
    library, -- whose code made them: executable or library, callsign, MPI and C library left out
    site, -- where they were made
    made_at, -- place
    objects, -- how many, all ranks together
    ranks, -- that made them
    a_name -- derived name of one of them
) AS
SELECT g.kind, f.name, l.library, g.site, s.place, g.objects, g.ranks, g.a_name
FROM (SELECT kind, function, site, count(*) AS objects, count(DISTINCT rank) AS ranks, max(name) AS a_name FROM object
      WHERE kind IN ('communicator', 'datatype', 'window') AND coalesce(name_origin, '') NOT IN ('program', 'rule')
            AND function IS NOT NULL AND NOT internal AND NOT predefined AND NOT adopted GROUP BY kind, function, site) g
     LEFT JOIN function f ON f.function = g.function LEFT JOIN sites s ON s.site = g.site LEFT JOIN libraries l ON l.site = g.site
ORDER BY g.objects DESC, g.kind, f.name, g.site;

CREATE VIEW attributes ( -- attributes asked for, set and deleted
    rank, -- of the process
    kind, -- of the object
    object, -- its number within the rank
    name, -- its name
    operation, -- get, set, delete
    key, -- MPI_TAG_UB, ..., or where the key was made
    found, -- get: whether there is such an attribute
    value_kind, -- none, address, integer, many
    value, -- NULL: none or not kept
    calls, -- how often
    asked_at, -- place
    first_ns, -- when first
    last_ns -- when last
) AS
SELECT a.rank, o.kind, a.object, o.name, a.operation, coalesce(k.name, 'key ' || a.keyval || coalesce(' from ' || ks.place, '')),
       a.found, a.value_kind, CASE WHEN a.value_kind IN ('address', 'integer') THEN a.value END, a.calls, s.place, a.first_ns, a.last_ns
FROM attribute a LEFT JOIN object o USING (rank, object) LEFT JOIN sites s ON s.site = a.site
     LEFT JOIN keyval k ON k.rank = a.rank AND k.kind = o.kind AND k.keyval = a.keyval LEFT JOIN sites ks ON ks.site = k.site;

CREATE VIEW placements ( -- one row per rank: where it ran, and how often it moved
    rank, -- of the process
    node, -- machine
    processor_name, -- as MPI_Get_processor_name says
    start_cpu, -- at the start
    end_cpu, -- at the last look
    allowed_cpus, -- at the start
    moves, -- how often it was seen to have moved
    cpus -- all processors it was seen on
) AS
SELECT p.rank, p.node, n.processor_name, f.cpu, l.cpu, f.allowed_cpus, coalesce(m.moves, 0), c.cpus
FROM process p
     LEFT JOIN (SELECT rank, cpu, allowed_cpus, min(at_ns) FROM placement GROUP BY rank) f ON f.rank = p.rank
     LEFT JOIN (SELECT rank, cpu, max(at_ns) FROM placement GROUP BY rank) l ON l.rank = p.rank
     LEFT JOIN (SELECT rank, processor_name, max(at_ns) FROM placement WHERE processor_name IS NOT NULL GROUP BY rank) n
               ON n.rank = p.rank
     LEFT JOIN (SELECT rank, sum(reason = 'moved') AS moves FROM placement GROUP BY rank) m ON m.rank = p.rank
     LEFT JOIN (SELECT rank, group_concat(cpu) AS cpus FROM (SELECT DISTINCT rank, cpu FROM placement WHERE cpu IS NOT NULL
                                                             ORDER BY rank, cpu) GROUP BY rank) c ON c.rank = p.rank;

CREATE VIEW processes ( -- one row per rank, in words
    rank, -- in MPI_COMM_WORLD
    node, -- machine
    pid, -- process id
    program, -- path
    outcome, -- finalized, aborted, exited, died, running
    last_call, -- in which it was when it ended otherwise than by MPI_Finalize
    last_communicator, -- communicator, window or file of that call
    last_peer, -- rank that the call named
    last_tag, -- tag that the call named
    calls, -- of MPI functions
    seconds, -- from the first call of MPI to the end, or to the last instant known
    mpi_seconds, -- inside MPI, all threads together
    mpi_percent, -- of seconds; several threads may together make more than 100
    lost, -- what could not be recorded
    damaged -- 1: the journal was cut off or damaged
) AS
SELECT p.rank, p.node, p.pid, p.program, p.outcome, f.name, coalesce(o.name, o.kind || ' ' || o.object), p.last_peer, p.last_tag, p.calls,
       (p.seen_ns - p.began_ns) / 1e9, p.mpi_ns / 1e9, p.mpi_ns * 100.0 / nullif(p.seen_ns - p.began_ns, 0), p.lost, p.damaged
FROM process p LEFT JOIN function f ON f.function = p.last_function
     LEFT JOIN object o ON o.rank = p.rank AND o.object = p.last_object;

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

CREATE VIEW sites ( -- places from which MPI was called, in words
    site, -- number, as in every column named site
    place, -- "function file:line" if resolved, else "module+0xoffset"
    function, -- function that contains it
    file, -- source file
    line, -- line in it
    module, -- executable or library
    build_id, -- its build id
    offset, -- return address in the module's own numbering
    caller -- site of the next outer frame
) AS
SELECT s.site,
       coalesce(f.function || coalesce(' ' || f.file || ':' || f.line,
                                       ' in ' || replace(f.module, rtrim(f.module, replace(f.module, '/', '')), ''), ''),
                replace(f.module, rtrim(f.module, replace(f.module, '/', '')), '') || printf('+0x%x', f.offset), printf('0x%x', f.offset)),
       f.function, f.file, f.line, f.module, f.build_id, f.offset, s.caller
FROM site s JOIN frame f USING (frame);

CREATE VIEW stacks ( -- every frame of every site
    site, -- number of the site
    depth, -- 0: innermost
    place -- where
) AS
WITH RECURSIVE walk (site, depth, current) AS (
    SELECT site, 0, site FROM site
    UNION ALL
    SELECT walk.site, depth + 1, s.caller FROM walk JOIN site s ON s.site = walk.current WHERE s.caller IS NOT NULL AND depth < 1000)
SELECT walk.site, depth, place FROM walk JOIN sites ON sites.site = walk.current;

CREATE VIEW libraries ( -- whose code is behind a site: the innermost executable or library that is neither callsign, MPI nor C library
    site, -- number of the site
    library -- file name; sites without any are not here
) AS
WITH RECURSIVE
    file (frame, name) AS (SELECT frame, replace(module, rtrim(module, replace(module, '/', '')), '') FROM frame),
    step (site, caller, name, passed) AS (
        SELECT s.site, s.caller, f.name,
               f.name IS NULL OR f.name GLOB 'libcallsign*' OR f.name GLOB 'libmpi*' OR f.name GLOB 'libpmpi*' OR f.name GLOB 'mca_*'
               OR f.name GLOB 'libopen-rte*' OR f.name GLOB 'libopen-pal*' OR f.name GLOB 'libopal*' OR f.name GLOB 'libc.so*'
               OR f.name GLOB 'libc-*' OR f.name GLOB 'libpthread*' OR f.name GLOB 'ld-*'
        FROM site s JOIN file f USING (frame)),
    walk (site, current, depth) AS (
        SELECT site, site, 0 FROM site
        UNION ALL
        SELECT w.site, step.caller, depth + 1 FROM walk w JOIN step ON step.site = w.current
        WHERE step.passed AND step.caller IS NOT NULL AND depth < 1000)
SELECT w.site, step.name FROM walk w JOIN step ON step.site = w.current WHERE NOT step.passed;
