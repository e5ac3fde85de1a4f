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
      AND o.kind <> 'grequest_class' -- nothing frees those
;

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

CREATE VIEW growth ( -- objects of the program by the place that makes them: how many were alive as time went by, all ranks together
    kind, -- communicator, datatype, window, file, ...
    made_by, -- function
    site, -- where they are made
    ranks, -- that make them
    made, -- how many
    freed, -- of these
    remaining, -- of these: never freed
    peak, -- most that were alive at once
    alive -- after each fifth of the run: "1 2 3 4 5"
) AS
WITH span (begin_ns, fifth_ns) AS (
         SELECT min(coalesce(init_ns, began_ns)), (max(seen_ns) - min(coalesce(init_ns, began_ns))) / 5 FROM process),
     made (rank, kind, function, site, born_ns, freed_ns) AS (
         SELECT rank, kind, function, site, coalesce(born_ns, begin_ns), freed_ns FROM object, span
         WHERE function IS NOT NULL AND NOT internal AND NOT predefined AND NOT adopted),
     step (kind, function, site, alive) AS (
         SELECT kind, function, site, sum(change) OVER (PARTITION BY kind, function, site ORDER BY at_ns, change)
         FROM (SELECT kind, function, site, born_ns AS at_ns, 1 AS change FROM made
               UNION ALL SELECT kind, function, site, freed_ns, -1 FROM made WHERE freed_ns IS NOT NULL)),
     peak (kind, function, site, peak) AS (SELECT kind, function, site, max(alive) FROM step GROUP BY 1, 2, 3),
     total (kind, function, site, ranks, made, freed, first, second, third, fourth) AS (
         SELECT kind, function, site, count(DISTINCT rank), count(*), count(freed_ns),
                sum(born_ns <= begin_ns + fifth_ns) - total(freed_ns <= begin_ns + fifth_ns),
                sum(born_ns <= begin_ns + 2 * fifth_ns) - total(freed_ns <= begin_ns + 2 * fifth_ns),
                sum(born_ns <= begin_ns + 3 * fifth_ns) - total(freed_ns <= begin_ns + 3 * fifth_ns),
                sum(born_ns <= begin_ns + 4 * fifth_ns) - total(freed_ns <= begin_ns + 4 * fifth_ns)
         FROM made, span GROUP BY 1, 2, 3)
SELECT t.kind, f.name, t.site, t.ranks, t.made, t.freed, t.made - t.freed, p.peak,
       printf('%d %d %d %d %d', t.first, t.second, t.third, t.fourth, t.made - t.freed)
FROM total t JOIN peak p ON p.kind = t.kind AND p.function = t.function AND p.site IS t.site
     LEFT JOIN function f ON f.function = t.function
ORDER BY t.made - t.freed DESC, t.made DESC, 1, 2, 3;

CREATE VIEW churn ( -- places that make objects which are freed again, by the place of the call, the fastest first
    kind, -- communicator, datatype, window, file, ...
    made_by, -- function
    made_at, -- place
    site, -- a site of this place
    ranks, -- that make them
    made, -- how many, all ranks together
    freed, -- of these
    per_second, -- made by one rank in a second of its run
    mean_life_ns, -- from birth to free
    making_seconds, -- in the calls that made them, all ranks together; NULL: not known
    freeing_seconds -- in the calls that freed them
) AS
WITH made (kind, function, frame, rank, freed_function, freed_frame, site, made, freed, life_ns) AS MATERIALIZED (
         SELECT o.kind, o.function, s.frame, o.rank, o.freed_function, fs.frame, min(o.site), count(*), count(o.freed_ns),
                total(o.freed_ns - o.born_ns)
         FROM object o LEFT JOIN site s ON s.site = o.site LEFT JOIN site fs ON fs.site = o.freed_site
         WHERE o.function IS NOT NULL AND NOT o.internal AND NOT o.predefined AND NOT o.adopted
         GROUP BY 1, 2, 3, 4, 5, 6),
     call (function, frame, mean_ns) AS MATERIALIZED ( -- the profile knows the place of the call, and who called that only if asked to
         SELECT p.function, s.frame, sum(p.time_ns) * 1.0 / nullif(sum(p.calls), 0) FROM profile p LEFT JOIN site s ON s.site = p.site
         WHERE p.function IN (SELECT function FROM made UNION SELECT freed_function FROM made) GROUP BY 1, 2),
     freeing (kind, function, frame, ns) AS (
         SELECT m.kind, m.function, m.frame, sum(m.freed * c.mean_ns)
         FROM (SELECT kind, function, frame, freed_function, freed_frame, sum(freed) AS freed FROM made GROUP BY 1, 2, 3, 4, 5) m
              JOIN call c ON c.function = m.freed_function AND c.frame IS m.freed_frame
         GROUP BY 1, 2, 3),
     place (kind, function, frame, site, ranks, made, freed, life_ns, ran_ns) AS (
         SELECT m.kind, m.function, m.frame, min(m.site), count(*), sum(m.made), sum(m.freed), sum(m.life_ns),
                sum(p.seen_ns - p.began_ns)
         FROM (SELECT kind, function, frame, rank, min(site) AS site, sum(made) AS made, sum(freed) AS freed, sum(life_ns) AS life_ns
               FROM made GROUP BY 1, 2, 3, 4) m LEFT JOIN process p ON p.rank = m.rank
         GROUP BY 1, 2, 3)
SELECT t.kind, f.name, s.place, t.site, t.ranks, t.made, t.freed, t.made * 1e9 / nullif(t.ran_ns, 0), t.life_ns / t.freed,
       t.made * c.mean_ns / 1e9, r.ns / 1e9
FROM place t LEFT JOIN function f ON f.function = t.function LEFT JOIN sites s ON s.site = t.site
     LEFT JOIN call c ON c.function = t.function AND c.frame IS t.frame
     LEFT JOIN freeing r ON r.kind = t.kind AND r.function = t.function AND r.frame IS t.frame
WHERE t.freed > 0
ORDER BY 8 DESC, 1, 2, 3;

CREATE VIEW run_communicators ( -- the communicators of the run, one row each, however many ranks are in it
    id, -- number in this view: uid, or one made of rank and object where that is not known: then every rank's is a row
    rank, -- the lowest that has it
    object, -- its number there
    name, -- that rank's; if it gave none, another's
    size, -- number of processes in (the local group of) it
    remote_size, -- processes in the remote group; NULL: an intracommunicator
    members, -- world ranks in order, as ranges; NULL: an intercommunicator, or the first member's trace is not here
    topology, -- none, graph, cart, dist_graph
    parent, -- id of the communicator it was made from
    made_by, -- function
    site, -- where
    ranks, -- that have it, of those that are recorded
    freed, -- on how many of these it was freed
    born_ns, -- on the first rank
    freed_ns, -- on the last rank; NULL: not on all
    predefined -- 1: the MPI's own
) AS
SELECT g.id, o.rank, o.object, coalesce(nullif(o.name, ''), g.name), c.size, c.remote_size,
       CASE WHEN c.remote_size IS NULL THEN g.members END, c.topology,
       CASE WHEN p.kind = 'communicator' THEN coalesce(p.uid, (p.rank << 32) + p.object) END, f.name, o.site, g.ranks, g.freed,
       g.born_ns, CASE WHEN g.freed = g.ranks THEN g.freed_ns END, o.predefined
FROM (SELECT coalesce(o.uid, (o.rank << 32) + o.object) AS id, min((o.rank << 32) + o.object) AS first, max(nullif(o.name, '')) AS name,
             max(c.members) AS members, count(*) AS ranks, count(o.freed_ns) AS freed, min(o.born_ns) AS born_ns,
             max(o.freed_ns) AS freed_ns
      FROM object o LEFT JOIN communicator c USING (rank, object) WHERE o.kind = 'communicator' GROUP BY 1) g
     JOIN object o ON o.rank = g.first >> 32 AND o.object = (g.first & 4294967295)
     LEFT JOIN communicator c ON c.rank = o.rank AND c.object = o.object
     LEFT JOIN object p ON p.rank = o.rank AND p.object = o.parent LEFT JOIN function f ON f.function = o.function;

CREATE VIEW disagreements ( -- what the members of a communicator do not agree on, and communicators that are equal
    about, -- name, size, attribute: the rows of a communicator contradict each other; order: made before and after another one;
    -- members: others have the same
    communicator, -- id, as in run_communicators
    rank, -- that says so; NULL: not the matter of a rank
    finding, -- what it says
    other -- order: id of the other communicator
) AS
WITH member (id, side, rank, object, name, size, remote_size, made) AS MATERIALIZED ( -- side: the groups of an intercommunicator may differ
         SELECT o.uid, CASE WHEN c.remote_size IS NULL THEN 0 ELSE coalesce(p.uid, 0) END, o.rank, o.object,
                CASE WHEN o.name_origin IN ('program', 'rule') THEN nullif(o.name, '') END, c.size, c.remote_size,
                o.function IS NOT NULL AND NOT o.internal
         FROM object o LEFT JOIN communicator c USING (rank, object) LEFT JOIN object p ON p.rank = o.rank AND p.object = o.parent
         WHERE o.kind = 'communicator' AND o.uid IS NOT NULL),
     divided (id, side, names, sizes, members) AS MATERIALIZED (
         SELECT id, side, min(coalesce(name, '')) < max(coalesce(name, '')),
                min(size) < max(size) OR min(remote_size) < max(remote_size), count(*)
         FROM member GROUP BY 1, 2),
     asked (id, side, key, rank, stored, found) AS MATERIALIZED (
         SELECT m.id, m.side, coalesce(k.name, 'the key from ' || s.place, 'the key ' || a.keyval), a.rank,
                min(CASE a.operation WHEN 'set' THEN a.value_kind END), max(CASE a.operation WHEN 'get' THEN a.found END)
         FROM attribute a JOIN member m ON m.rank = a.rank AND m.object = a.object
              LEFT JOIN keyval k ON k.rank = a.rank AND k.kind = 'communicator' AND k.keyval = a.keyval LEFT JOIN sites s ON s.site = k.site
         GROUP BY 1, 2, 3, 4),
     key (id, side, key, stored, found) AS (
         SELECT a.id, a.side, a.key, count(a.stored) BETWEEN 1 AND d.members - 1 OR min(a.stored) < max(a.stored),
                min(a.found) < max(a.found)
         FROM asked a JOIN divided d ON d.id = a.id AND d.side = a.side GROUP BY 1, 2, 3),
     home (id, rank) AS (SELECT id, min(rank) FROM member WHERE made GROUP BY 1 HAVING count(*) > 1),
     place (id, home, number) AS MATERIALIZED (
         SELECT h.id, h.rank, m.object FROM home h JOIN member m ON m.id = h.id AND m.rank = h.rank),
     -- Of communicators with the same lowest member, one that a rank made after another, and their lowest member before it.
     turned (rank, home, earlier, later) AS (
         SELECT rank, home, before, id
         FROM (SELECT m.rank, p.home, m.id, p.number, lag(m.id) OVER made AS before, lag(p.number) OVER made AS before_number
               FROM member m JOIN place p ON p.id = m.id WHERE m.made
               WINDOW made AS (PARTITION BY m.rank, p.home ORDER BY m.object))
         WHERE before_number > number),
     -- Of those with other lowest members, two that follow each other directly, in both orders.
     follow (rank, earlier, later) AS MATERIALIZED (
         SELECT rank, before, id
         FROM (SELECT m.rank, m.id, p.home, lag(m.id) OVER made AS before, lag(p.home) OVER made AS before_home
               FROM member m JOIN place p ON p.id = m.id WHERE m.made WINDOW made AS (PARTITION BY m.rank ORDER BY m.object))
         WHERE before_home <> home),
     pair (earlier, later) AS (SELECT DISTINCT earlier, later FROM follow),
     swapped (rank, earlier, later) AS (
         SELECT rank, earlier, later FROM turned UNION SELECT home, later, earlier FROM turned
         UNION SELECT f.rank, f.earlier, f.later FROM pair a JOIN pair b ON b.earlier = a.later AND b.later = a.earlier
                                                       JOIN follow f ON f.earlier = a.earlier AND f.later = a.later),
     equal (members, id, count) AS ( -- lists that are too long end with "...", processes of other worlds are "?"
         SELECT members, min(CASE WHEN predefined THEN 0 ELSE 1 END || printf('%020d', born_ns + (1 << 62)) || id), count(*)
         FROM run_communicators WHERE remote_size IS NULL AND members NOT GLOB '*[.?]*' GROUP BY 1 HAVING count(*) > 1)
SELECT 'name', m.id, m.rank, coalesce('is named "' || m.name || '"', 'has no name'), NULL
FROM divided d JOIN member m ON m.id = d.id AND m.side = d.side WHERE d.names
UNION ALL
SELECT 'size', m.id, m.rank, 'has ' || m.size || ' processes' || coalesce(', ' || m.remote_size || ' remote ones', ''), NULL
FROM divided d JOIN member m ON m.id = d.id AND m.side = d.side WHERE d.sizes
UNION ALL
SELECT 'attribute', m.id, m.rank, coalesce('stores an ' || a.stored || ' under ', 'stores nothing under ') || k.key, NULL
FROM key k JOIN member m ON m.id = k.id AND m.side = k.side
     LEFT JOIN asked a ON a.id = k.id AND a.side = k.side AND a.key = k.key AND a.rank = m.rank
WHERE k.stored
UNION ALL
SELECT 'attribute', a.id, a.rank, CASE a.found WHEN 1 THEN 'finds ' ELSE 'does not find ' END || a.key, NULL
FROM key k JOIN asked a ON a.id = k.id AND a.side = k.side AND a.key = k.key WHERE k.found AND a.found IS NOT NULL
UNION ALL
SELECT 'order', earlier, rank, 'is made before', later FROM swapped
UNION ALL
SELECT 'members', CAST(substr(id, 22) AS INT), NULL,
       (count - 1) || CASE count WHEN 2 THEN ' other has' ELSE ' others have' END || ' the same members in the same order', NULL
FROM equal;

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
    site, -- where in it; one of several with this innermost frame
    made_at, -- place
    objects, -- how many, all ranks together
    ranks, -- that made them
    a_name -- derived name of one of them
) AS
SELECT u.kind, f.name, u.library, u.site, s.place, u.objects, u.ranks, u.a_name
FROM (SELECT o.kind, o.function, max(l.library) AS library, min(m.site) AS site, count(*) AS objects, count(DISTINCT o.rank) AS ranks,
             min(o.name) AS a_name
      FROM object o LEFT JOIN libraries l ON l.site = o.site LEFT JOIN site m ON m.site = coalesce(l.maker, o.site)
      WHERE o.kind IN ('communicator', 'datatype', 'window') AND coalesce(o.name_origin, '') NOT IN ('program', 'rule')
            AND o.function IS NOT NULL AND NOT o.internal AND NOT o.predefined AND NOT o.adopted GROUP BY o.kind, o.function, m.frame) u
     LEFT JOIN function f ON f.function = u.function LEFT JOIN sites s ON s.site = u.site
ORDER BY u.kind, u.objects DESC, f.name, u.site;

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
    library, -- file name; sites without any are not here
    maker -- site of the call that this code made: the site itself, unless it lies in one of the others
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
SELECT w.site, step.name, w.current FROM walk w JOIN step ON step.site = w.current WHERE NOT step.passed;
