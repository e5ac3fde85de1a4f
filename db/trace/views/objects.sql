-- Views: MPI objects: names, lifetimes and attributes.

CREATE VIEW labels ( -- name of every object
    rank, -- rank of the process
    object, -- number within the rank
    label -- its name, or how it was created if it has none
) AS
-- Views group by it, and sqlite3 shows it: SQL makes this identifier, because a trace needs no functions of callsign.
-- One table: SQLite then looks up single objects in a LEFT JOIN, too.
SELECT rank, object,
       coalesce(nullif(name, ''),
                '(' || kind || ' ' || object
                || coalesce(', from ' || (SELECT f.name FROM function f WHERE f.function = o.function), '') || ')')
FROM object o;

CREATE VIEW object_keys ( -- numbers for each object, in place of rank and number within the rank
    rank, -- rank of the process
    object, -- number within the rank
    object_key, -- both in one number, in the same order
    id, -- id of the object in the run: object.uid, equal on all ranks that share it; object_key if it is unknown
    similar, -- object.similar, equal for similar objects; object_key if there is none
    kind, -- communicator, datatype, window, file, ...
    name, -- its name
    parent, -- number of the object that it was created from
    site -- call site of the creation
) AS
-- with a type, because SQLite joins by an index only then
WITH keyed AS (SELECT *, (rank << 32) + object AS object_key FROM object)
SELECT rank, object, object_key, CAST(coalesce(uid, object_key) AS INT), CAST(coalesce(similar, object_key) AS INT),
       kind, name, parent, site
FROM keyed;

CREATE VIEW program_objects ( -- the objects that the program created, as in the table object
    rank, -- rank of the process
    object, -- number within the rank
    kind, -- communicator, datatype, window, file, ...
    name, -- its name
    name_origin, -- origin of the name
    function, -- function that created it
    site, -- call site of the creation
    created_ns, -- when
    freed_function, -- function that freed it
    freed_site, -- call site of the free
    freed_ns -- when; NULL: never
) AS
SELECT rank, object, kind, name, name_origin, function, site, created_ns, freed_function, freed_site, freed_ns
FROM object WHERE function IS NOT NULL AND NOT internal AND NOT predefined AND NOT adopted;

CREATE VIEW objects ( -- every object of every rank, with names for numbers
    rank, -- rank of the process
    object, -- number within the rank
    kind, -- communicator, datatype, window, file, ...
    label, -- its name, or how it was created if it has none
    name, -- its name
    name_origin, -- origin of the name
    parent, -- label of the object that it was created from
    created_by, -- function
    location, -- call site: function, file and line
    library, -- executable or library that created it, other than callsign, the MPI and the C library
    created_ns, -- when
    freed_by, -- function
    freed_location, -- call site: function, file and line
    freed_ns, -- when; NULL: never
    internal, -- 1: created inside the MPI library
    predefined, -- 1: belongs to the MPI
    detail -- arguments of the call that created it, as JSON
) AS
SELECT o.rank, o.object, o.kind, n.label, o.name, o.name_origin, p.label, f.name, s.location,
       l.library, o.created_ns, ff.name, fs.location, o.freed_ns, o.internal, o.predefined, o.detail
FROM object o LEFT JOIN function f ON f.function = o.function LEFT JOIN sites s ON s.site = o.site
     JOIN labels n ON n.rank = o.rank AND n.object = o.object
     LEFT JOIN labels p ON p.rank = o.rank AND p.object = o.parent
     LEFT JOIN function ff ON ff.function = o.freed_function LEFT JOIN sites fs ON fs.site = o.freed_site
     LEFT JOIN libraries l ON l.site = o.site;

-- kept: overview
CREATE VIEW object_counts ( -- objects that the program created, and how many it freed, by kind and function
    kind, -- communicator, datatype, window, file, ...
    created_by, -- function
    ranks, -- ranks that created such objects
    created, -- how many
    freed, -- number of freed ones
    not_freed -- number of objects that were not freed
) AS
SELECT o.kind, f.name, count(DISTINCT o.rank), count(*), sum(o.freed_ns IS NOT NULL), sum(o.freed_ns IS NULL)
FROM program_objects o LEFT JOIN function f ON f.function = o.function
GROUP BY o.kind, o.function ORDER BY o.kind, count(*) DESC, f.name;

CREATE VIEW leaks ( -- created by the program and never freed (or not yet: see processes.outcome)
    rank, kind, object, name, created_by, -- as in objects
    location, -- call site of its creation: function, file and line
    site, -- number of the call site
    library, -- executable or library that created it, other than callsign, the MPI and the C library
    created_ns, -- when
    charged_site, -- call site of the first frame outside libraries that wrap MPI, as in charged_sites
    layer -- the library between them; NULL: none
) AS
SELECT o.rank, o.kind, o.object, o.name, f.name, s.location, o.site, l.library, o.created_ns,
       coalesce(c.charged_site, o.site), c.layer
FROM program_objects o LEFT JOIN function f ON f.function = o.function LEFT JOIN sites s ON s.site = o.site
     LEFT JOIN libraries l ON l.site = o.site LEFT JOIN charged_sites c ON c.site = o.site
WHERE o.freed_ns IS NULL AND o.kind <> 'grequest_class' -- nothing frees those
      -- the call that frees it may have gone past callsign
      AND NOT EXISTS (SELECT 1 FROM bypassing_processes b
                      WHERE b.rank = o.rank AND (b.functions IS NULL OR b.functions LIKE '%free%'
                                                 OR b.functions LIKE '%disconnect%' OR b.functions LIKE '%close%'));

-- kept: others
CREATE VIEW leaks_by_site ( -- leaks, by the call site that creates them
    kind, -- communicator, datatype, window, file, ...
    created_by, -- function
    location, -- call site: function, file and line
    objects, -- number of objects on all ranks together
    ranks, -- ranks that leak there
    example -- name of one of them
) AS
SELECT l.kind, l.created_by, s.location, count(*), count(DISTINCT l.rank), max(l.name)
FROM leaks l LEFT JOIN sites s USING (site) GROUP BY l.kind, l.created_by, s.location ORDER BY count(*) DESC, 1, 2, 3;

-- kept: others
CREATE VIEW growth ( -- objects of the program by the call site that creates them: the number of live ones over time,
        -- all ranks together
    kind, -- communicator, datatype, window, file, ...
    created_by, -- function
    site, -- call site
    ranks, -- ranks that create them
    created, -- how many
    freed, -- number of freed ones
    not_freed, -- number of objects that were not freed
    peak, -- most live objects at one time
    live -- number after each fifth of the run: "1 2 3 4 5"
) AS
WITH span (begin_ns, fifth_ns) AS (
         SELECT min(coalesce(init_ns, began_ns)), (max(last_seen_ns) - min(coalesce(init_ns, began_ns))) / 5
         FROM process),
     created (rank, kind, function, site, created_ns, freed_ns) AS (
         SELECT rank, kind, function, site, coalesce(created_ns, begin_ns), freed_ns FROM program_objects, span),
     step (kind, function, site, live) AS (
         SELECT kind, function, site, sum(change) OVER (PARTITION BY kind, function, site ORDER BY at_ns, change)
         FROM (SELECT kind, function, site, created_ns AS at_ns, 1 AS change FROM created
               UNION ALL SELECT kind, function, site, freed_ns, -1 FROM created WHERE freed_ns IS NOT NULL)),
     peak (kind, function, site, peak) AS (SELECT kind, function, site, max(live) FROM step GROUP BY 1, 2, 3),
     total (kind, function, site, ranks, created, freed, first, second, third, fourth) AS (
         SELECT kind, function, site, count(DISTINCT rank), count(*), count(freed_ns),
                sum(created_ns <= begin_ns + fifth_ns) - total(freed_ns <= begin_ns + fifth_ns),
                sum(created_ns <= begin_ns + 2 * fifth_ns) - total(freed_ns <= begin_ns + 2 * fifth_ns),
                sum(created_ns <= begin_ns + 3 * fifth_ns) - total(freed_ns <= begin_ns + 3 * fifth_ns),
                sum(created_ns <= begin_ns + 4 * fifth_ns) - total(freed_ns <= begin_ns + 4 * fifth_ns)
         FROM created, span GROUP BY 1, 2, 3)
SELECT t.kind, f.name, t.site, t.ranks, t.created, t.freed, t.created - t.freed, p.peak,
       printf('%d %d %d %d %d', t.first, t.second, t.third, t.fourth, t.created - t.freed)
FROM total t JOIN peak p ON p.kind = t.kind AND p.function = t.function AND p.site IS t.site
     LEFT JOIN function f ON f.function = t.function
ORDER BY t.created - t.freed DESC, t.created DESC, 1, 2, 3;

-- kept: others
CREATE VIEW churn ( -- call sites that create objects which are freed again, with any callers, the fastest first
    kind, -- communicator, datatype, window, file, ...
    created_by, -- function
    location, -- call site: function, file and line
    site, -- one of the sites with this innermost frame
    ranks, -- ranks that create them
    created, -- number of objects on all ranks together
    freed, -- number of freed ones
    per_second, -- objects created by one rank per second of its run
    mean_lifetime_ns, -- from creation to free
    creating_seconds, -- time in the calls that created them, all ranks together; NULL: unknown
    freeing_seconds -- time in the calls that freed them
) AS
WITH created (kind, function, frame, rank, freed_function, freed_frame, site, created, freed,
              lifetime_ns) AS MATERIALIZED (
         SELECT o.kind, o.function, s.frame, o.rank, o.freed_function, fs.frame, min(o.site), count(*),
                count(o.freed_ns), total(o.freed_ns - o.created_ns)
         FROM program_objects o LEFT JOIN site s ON s.site = o.site LEFT JOIN site fs ON fs.site = o.freed_site
         GROUP BY 1, 2, 3, 4, 5, 6),
     -- the profile has the innermost frame, and callers only if the user asked for them
     call (function, frame, mean_ns) AS MATERIALIZED (
         SELECT p.function, s.frame, total(p.time_ns) * 1.0 / nullif(sum(p.calls), 0)
         FROM (SELECT function, site, calls, time_ns FROM summary WHERE likely(part = 'site')
               UNION ALL SELECT function, site, 0, -time_ns FROM open_calls) p
              LEFT JOIN site s ON s.site = p.site
         WHERE p.function IN (SELECT function FROM created UNION SELECT freed_function FROM created) GROUP BY 1, 2),
     freeing (kind, function, frame, ns) AS (
         SELECT m.kind, m.function, m.frame, sum(m.freed * c.mean_ns)
         FROM (SELECT kind, function, frame, freed_function, freed_frame, sum(freed) AS freed FROM created
               GROUP BY 1, 2, 3, 4, 5) m
              JOIN call c ON c.function = m.freed_function AND c.frame IS m.freed_frame
         GROUP BY 1, 2, 3),
     total (kind, function, frame, site, ranks, created, freed, lifetime_ns, ran_ns) AS (
         SELECT m.kind, m.function, m.frame, min(m.site), count(*), sum(m.created), sum(m.freed), total(m.lifetime_ns),
                total(p.last_seen_ns - p.began_ns)
         FROM (SELECT kind, function, frame, rank, min(site) AS site, sum(created) AS created, sum(freed) AS freed,
                      sum(lifetime_ns) AS lifetime_ns
               FROM created GROUP BY 1, 2, 3, 4) m LEFT JOIN process p ON p.rank = m.rank
         GROUP BY 1, 2, 3)
SELECT t.kind, f.name, s.location, t.site, t.ranks, t.created, t.freed, t.created * 1e9 / nullif(t.ran_ns, 0),
       t.lifetime_ns / t.freed, t.created * c.mean_ns / 1e9, r.ns / 1e9
FROM total t LEFT JOIN function f ON f.function = t.function LEFT JOIN sites s ON s.site = t.site
     LEFT JOIN call c ON c.function = t.function AND c.frame IS t.frame
     LEFT JOIN freeing r ON r.kind = t.kind AND r.function = t.function AND r.frame IS t.frame
WHERE t.freed > 0
ORDER BY 8 DESC, 1, 2, 3;

CREATE VIEW names ( -- every name that was given, and the calls of MPI_*_set_name that the MPI refused
    rank, -- rank of the process
    at_ns, -- when
    kind, -- kind of the object
    object, -- number within the rank; NULL: unknown, because the MPI refused the handle
    name, -- given name; NULL: refused
    origin, -- origin of the name: program, mpi, rule, derived
    location, -- call site: function, file and line
    error -- error of the MPI: MPI_ERR_COMM, ...; NULL: the name was accepted
) AS
SELECT n.rank, n.at_ns, coalesce(n.kind, o.kind), nullif(n.object, 0), n.name, n.origin, s.location, n.error
FROM naming n LEFT JOIN object o USING (rank, object) LEFT JOIN sites s ON s.site = n.site;

CREATE VIEW rules ( -- the naming rules in force (CALLSIGN_NAMES), and the objects that they named
    rule, -- line in the file
    text, -- conditions -> name
    ranks, -- ranks in which it was in force
    objects, -- named objects on all ranks together
    examples -- up to three of these names
) AS
WITH named (rule, text, name, objects, number) AS (
    SELECT r.rule, r.text, n.name, count(*),
           row_number() OVER (PARTITION BY r.rule, r.text ORDER BY min(n.object), n.name)
    FROM rule r JOIN naming n ON n.rank = r.rank AND n.rule = r.rule GROUP BY r.rule, r.text, n.name)
SELECT r.rule, r.text, count(*),
       (SELECT coalesce(sum(objects), 0) FROM named g WHERE g.rule = r.rule AND g.text = r.text),
       (SELECT group_concat(name, ', ') FROM named g WHERE g.rule = r.rule AND g.text = r.text AND g.number <= 3)
FROM rule r GROUP BY r.rule, r.text ORDER BY r.rule, r.text;

-- kept: others
CREATE VIEW unnamed ( -- communicators, datatypes and windows that neither the program nor a naming rule named, by the
        -- call site that creates them
    kind, -- communicator, datatype, window
    created_by, -- function
    library, -- executable or library that created them, other than callsign, the MPI and the C library
    site, -- call site in that library; one of those with this innermost frame
    location, -- call site: function, file and line
    objects, -- number of objects on all ranks together
    ranks, -- ranks that created them
    example -- derived name of one of them
) AS
SELECT u.kind, f.name, u.library, u.site, s.location, u.objects, u.ranks, u.example
FROM (SELECT o.kind, o.function, max(l.library) AS library, min(m.site) AS site, count(*) AS objects,
             count(DISTINCT o.rank) AS ranks, min(o.name) AS example
      FROM program_objects o LEFT JOIN libraries l ON l.site = o.site
           LEFT JOIN site m ON m.site = coalesce(l.library_site, o.site)
      WHERE o.kind IN ('communicator', 'datatype', 'window') AND coalesce(o.name_origin, '') NOT IN ('program', 'rule')
      GROUP BY o.kind, o.function, m.frame) u
     LEFT JOIN function f ON f.function = u.function LEFT JOIN sites s ON s.site = u.site
ORDER BY u.kind, u.objects DESC, f.name, u.site;

CREATE VIEW attributes ( -- calls that get, set and delete attributes
    rank, -- rank of the process
    kind, -- kind of the object
    object, -- its number within the rank
    name, -- its name
    operation, -- get, set, delete; free: of a key, only if refused; survey: a query of callsign after MPI_Init; copy:
        -- a query of callsign to a duplicate, for the attributes of its original
    key, -- MPI_TAG_UB, ..., or the call site that created the key
    found, -- get, survey, copy: 1 if there is such an attribute; NULL: the call failed
    answer, -- answer of get, survey and copy in the standard's terms: MPI_PROC_NULL, true, not set, a number; values
        -- of the program are addresses
    error, -- error of the call: MPI_ERR_KEYVAL, ..., or "code N" if the code has no class of the standard, such as
        -- one from a callback of the program; "other codes": too many; NULL: success
    value_kind, -- none, address, integer, many, error
    value, -- the value; NULL: none, or not recorded
    calls, -- how often
    location, -- call site: function, file and line
    first_ns, -- when first
    last_ns, -- when last
    keyval, -- number of the key
    predefined, -- 1: a predefined key
    key_object, -- object number of the key, because MPIs reuse key numbers. NULL: predefined, or unknown
    key_site, -- call site that created the key; NULL: predefined, or unknown
    site -- call site
) AS
WITH constant (key, constant) AS (
         VALUES ('MPI_HOST', 'MPI_PROC_NULL'), ('MPI_HOST', 'MPI_ANY_SOURCE'), ('MPI_IO', 'MPI_PROC_NULL'),
                ('MPI_IO', 'MPI_ANY_SOURCE'), ('MPI_WIN_CREATE_FLAVOR', 'MPI_WIN_FLAVOR_CREATE'),
                ('MPI_WIN_CREATE_FLAVOR', 'MPI_WIN_FLAVOR_ALLOCATE'),
                ('MPI_WIN_CREATE_FLAVOR', 'MPI_WIN_FLAVOR_DYNAMIC'), ('MPI_WIN_CREATE_FLAVOR', 'MPI_WIN_FLAVOR_SHARED'),
                ('MPI_WIN_MODEL', 'MPI_WIN_SEPARATE'), ('MPI_WIN_MODEL', 'MPI_WIN_UNIFIED')),
     -- key_object: the last key that was created under that number before; the rows of keys have no operation
     seen (rank, kind, object, name, keyval, operation, found, value_kind, value, error, site, calls, first_ns, last_ns,
           key_object) AS (
         SELECT rank, kind, object, name, keyval, operation, found, value_kind, value, error, site, calls, first_ns,
                last_ns, max(key) OVER (PARTITION BY rank, kind, keyval ORDER BY first_ns)
         FROM (SELECT a.rank, coalesce(a.kind, o.kind) AS kind, a.object, o.name, a.keyval, a.operation, a.found,
                      a.value_kind, a.value, a.error, a.site, a.calls, a.first_ns, a.last_ns, NULL AS key
               FROM attribute a LEFT JOIN object o USING (rank, object)
               UNION ALL
               SELECT c.rank, c.kind, NULL, NULL, c.keyval, NULL, NULL, NULL, NULL, NULL, NULL, NULL, b.created_ns,
                      NULL, c.object
               FROM created_keyval c JOIN object b ON b.rank = c.rank AND b.object = c.object))
SELECT a.rank, a.kind, a.object, a.name, a.operation,
       coalesce(k.name, 'key ' || a.keyval || coalesce(' from ' || ks.location, '')),
       CASE WHEN a.error IS NULL THEN a.found END,
       CASE WHEN a.error IS NOT NULL OR a.operation IN ('set', 'delete') THEN NULL
            WHEN NOT a.found THEN 'not set'
            WHEN a.value_kind = 'many' THEN 'many different'
            WHEN a.value_kind = 'address' THEN printf('0x%x', a.value)
            WHEN k.name = 'MPI_WTIME_IS_GLOBAL' THEN CASE a.value WHEN 0 THEN 'false' ELSE 'true' END
            ELSE coalesce((SELECT c.constant FROM constant c
                           JOIN meta m ON m.rank = a.rank AND m.key = 'constant.' || c.constant
                           WHERE c.key = k.name AND CAST(m.value AS INT) = a.value), CAST(a.value AS TEXT)) END,
       a.error, a.value_kind, CASE WHEN a.value_kind IN ('address', 'integer') THEN a.value END, a.calls, s.location,
       a.first_ns, a.last_ns, a.keyval, k.name IS NOT NULL, ko.object, coalesce(ko.site, k.site), a.site
FROM seen a LEFT JOIN sites s ON s.site = a.site
     LEFT JOIN keyval k ON k.rank = a.rank AND k.kind = a.kind AND k.keyval = a.keyval
     LEFT JOIN object ko ON ko.rank = a.rank AND ko.object = a.key_object AND k.name IS NULL
     LEFT JOIN sites ks ON ks.site = coalesce(ko.site, k.site)
WHERE a.operation IS NOT NULL;

CREATE VIEW comparisons ( -- calls of MPI_Comm_compare and MPI_Group_compare, by compared objects and answer
    rank, -- rank of the process
    kind, -- communicator, group
    first_object, -- number within the rank; NULL: MPI_GROUP_EMPTY, or unknown
    first, -- its name, or kind, number and parent; NULL: first_object is NULL
    second_object, -- number of the other one
    second, -- name of the other one
    answer, -- MPI_IDENT, MPI_CONGRUENT, MPI_SIMILAR, MPI_UNEQUAL
    calls, location, first_ns, last_ns -- as in attributes
) AS
WITH compared (rank, object, label) AS (
         SELECT o.rank, o.object,
                coalesce(nullif(o.name, ''), o.kind || ' ' || o.object || coalesce(' of ' || p.label, ''))
         FROM object o LEFT JOIN labels p ON p.rank = o.rank AND p.object = o.parent)
SELECT c.rank, c.kind, nullif(c.first, 0), a.label, nullif(c.second, 0), b.label, c.answer, c.calls, s.location,
       c.first_ns, c.last_ns
FROM comparison c LEFT JOIN compared a ON a.rank = c.rank AND a.object = c.first
     LEFT JOIN compared b ON b.rank = c.rank AND b.object = c.second LEFT JOIN sites s ON s.site = c.site;

CREATE VIEW pending_requests ( -- communicators, windows and files that were freed while requests on them were pending
    rank, -- rank of the process
    object, -- number of the freed object within the rank
    label, -- its name, or how it was created if it has none
    freed_by, -- function
    freed_location, -- call site: function, file and line
    freed_ns, -- when
    function, -- function that made the requests
    location, -- call site of the creation: function, file and line
    requests, -- number of pending requests
    freed_site, -- call site that freed it
    site -- call site that began the requests
) AS
SELECT r.rank, r.object, n.label, ff.name, fs.location, o.freed_ns, f.name, s.location, r.requests, o.freed_site, r.site
FROM pending_request r JOIN object o ON o.rank = r.rank AND o.object = r.object
     JOIN labels n ON n.rank = r.rank AND n.object = r.object
     LEFT JOIN function ff ON ff.function = o.freed_function LEFT JOIN sites fs ON fs.site = o.freed_site
     LEFT JOIN function f ON f.function = r.function LEFT JOIN sites s ON s.site = r.site;
