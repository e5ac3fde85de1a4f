-- Views: MPI time and bytes.
--
-- Calls that have not returned count until process.last_seen_ns. The column open has their number; calls counts the
-- others. Percentages are of the MPI time of all ranks without the class lifecycle: on a short run, MPI_Init and
-- MPI_Finalize would hide all else. Those have rows of their own, at the end, with percent NULL.

CREATE VIEW call_times ( -- all MPI time: the profile, and one row for each call that has not returned
    rank, -- rank of the process
    communicator, -- communicator that gets the time; 0: none
    object, -- window or file of the calls; 0: neither
    function, -- number of the function
    name, -- name of the function
    class, -- class of the function
    lifecycle, -- 1: class lifecycle: MPI_Init, MPI_Finalize and similar
    site, -- call site; 0: unknown
    size_class, -- as in profile; NULL: the call has not returned
    calls, -- calls that returned
    open, -- calls that have not returned
    time_ns, -- in both together
    min_ns, -- shortest call that returned
    max_ns, -- longest call that returned
    sent_bytes, -- bytes sent, by calls that returned
    received_bytes -- bytes received, once for each partner
) AS
SELECT p.rank, p.communicator, p.object, p.function, coalesce(f.name, 'function ' || p.function), f.class,
       coalesce(f.class = 'lifecycle', 0), p.site, p.size_class, p.calls, 0, p.time_ns, p.min_ns, p.max_ns,
       p.sent_bytes, p.received_bytes
FROM profile p LEFT JOIN function f ON f.function = p.function
UNION ALL
SELECT o.rank, o.communicator, o.object, o.function, coalesce(f.name, 'function ' || o.function), f.class,
       coalesce(f.class = 'lifecycle', 0), o.site, NULL, 0, 1, o.time_ns, NULL, NULL, 0, 0
FROM open_calls o LEFT JOIN function f ON f.function = o.function;

CREATE VIEW open_calls ( -- calls that have not returned
    rank, -- rank of the process
    communicator, -- communicator that gets the time; 0: none
    object, -- window or file of the call; 0: neither
    function, -- number of the function
    site, -- call site; 0: unknown
    time_ns -- time in the call until process.last_seen_ns
) AS
SELECT t.rank, coalesce(CASE o.kind WHEN 'window' THEN w.communicator WHEN 'file' THEN o.parent ELSE t.object END, 0),
       CASE WHEN o.kind IN ('window', 'file') THEN t.object ELSE 0 END, t.function, coalesce(t.site, 0),
       max(p.last_seen_ns - t.since_ns, 0)
FROM thread t JOIN process p ON p.rank = t.rank
     LEFT JOIN object o ON o.rank = t.rank AND o.object = t.object
     LEFT JOIN window w ON w.rank = t.rank AND w.object = t.object
WHERE t.state = 'inside' AND t.function IS NOT NULL;

-- kept: overview
CREATE VIEW communicator_time ( -- MPI time by communicator, window and file; similar objects (see similar_objects)
        -- share a row
    communicator, -- name of the communicator, window or file, or how the first of them was created; "(no
        -- communicator)"; "(MPI_Init, MPI_Finalize)": functions of class lifecycle
    number, -- number among rows of this name and kind, in order of creation; NULL: the only such row
    names, -- number of different names in the row
    communicators, -- number of different communicators, windows or files in the row, not counted per rank
    size, -- number of processes
    parent, -- name of the communicator that it was created from
    ranks, -- ranks that used it
    objects, -- communicators, windows or files on all ranks together
    calls, -- returned calls on it. Calls on a window or file do not count for its communicator
    open, -- calls that have not returned
    seconds, -- time in these calls, all ranks together
    percent, -- percent of all MPI time without the class lifecycle
    sent_bytes, -- bytes that the program passed to the MPI
    received_bytes, -- bytes that the program got from the MPI
    site, -- call site that created the first of them
    similar_to, -- the first of them, as in similar_objects; NULL: none
    kind -- communicator, window, file; NULL: none of them
) AS
WITH line (lifecycle, similar_to, names, communicators, ranks, objects, calls, open, time_ns, sent_bytes,
           received_bytes, object, first) AS MATERIALIZED (
         SELECT u.lifecycle, CASE WHEN u.object > 0 THEN coalesce(a.similar_to, o.object_key, -u.object) END,
                count(DISTINCT o.name), count(DISTINCT o.id), count(DISTINCT u.rank),
                count(DISTINCT CASE WHEN u.object > 0 THEN (u.rank << 32) + u.object END), sum(u.calls),
                sum(u.open), total(u.time_ns), sum(u.sent_bytes), sum(u.received_bytes), u.object,
                min(coalesce(o.object_key, -u.object)) -- its row supplies object
         FROM object_times u
              LEFT JOIN object_keys o ON o.rank = u.rank AND o.object = u.object
              LEFT JOIN similar_groups a ON a.similar = o.similar
                                            AND o.kind IN ('communicator', 'window', 'file')
         GROUP BY 1, 2),
     named AS MATERIALIZED (
         SELECT l.*, c.size, nullif(p.name, '') AS parent, o.site, CASE WHEN NOT l.lifecycle THEN o.kind END AS kind,
                CASE WHEN l.lifecycle THEN '(MPI_Init, MPI_Finalize)' WHEN l.object = 0 THEN '(no communicator)'
                     ELSE (SELECT label FROM labels n
                           WHERE n.rank = o.rank AND n.object = o.object) END AS communicator
         FROM line l
              LEFT JOIN object o ON o.rank = l.first >> 32 AND o.object = l.first & 4294967295
              LEFT JOIN communicator c ON c.rank = o.rank
                                          AND c.object = CASE o.kind WHEN 'communicator' THEN o.object ELSE o.parent END
              LEFT JOIN object p ON p.rank = o.rank AND p.object = o.parent),
     numbered AS (
         SELECT *, CASE WHEN count(*) OVER (PARTITION BY communicator, kind) > 1
                        THEN row_number() OVER (PARTITION BY communicator, kind ORDER BY object, first) END AS number
         FROM named)
SELECT communicator, number, names, communicators, size, parent, ranks, objects, calls, open, time_ns / 1e9,
       CASE WHEN NOT lifecycle
            THEN time_ns * 100.0 / nullif((SELECT total(time_ns) FROM line WHERE NOT lifecycle), 0) END,
       sent_bytes, received_bytes, site, similar_to, kind
FROM numbered ORDER BY lifecycle, time_ns DESC, first;

-- shared: overview
CREATE VIEW object_times ( -- MPI time of each rank by communicator, window or file
    rank, -- rank of the process
    object, -- its number within the rank; 0: none
    lifecycle, -- as in call_times
    calls, open, -- as in call_times
    time_ns, -- time in these calls, as a floating-point number
    sent_bytes, received_bytes -- as in call_times
) AS
-- in the order of the key, so that SQLite sorts nothing
SELECT rank, coalesce(nullif(object, 0), communicator), 0, sum(calls), sum(open), total(time_ns), sum(sent_bytes),
       sum(received_bytes)
FROM rank_time WHERE function NOT IN (SELECT function FROM function WHERE class = 'lifecycle')
GROUP BY rank, communicator, object
UNION ALL
SELECT rank, coalesce(nullif(object, 0), communicator), 1, sum(calls), sum(open), total(time_ns), sum(sent_bytes),
       sum(received_bytes)
FROM rank_time WHERE function IN (SELECT function FROM function WHERE class = 'lifecycle')
GROUP BY rank, communicator, object;

-- kept: others
CREATE VIEW run_communicator_time ( -- MPI time by communicator of the run
    id, -- id of the communicator, as in run_communicators
    communicator, -- name, or how it was created
    size, -- number of processes
    ranks, -- ranks that used it
    calls, -- calls on it, its windows and files that returned
    open, seconds, percent, sent_bytes, received_bytes -- as in communicator_time
) AS
SELECT k.id, n.label, c.size, count(*), sum(u.calls), sum(u.open), total(u.time_ns) / 1e9,
       total(u.time_ns) * 100.0 / nullif((SELECT total(time_ns) FROM rank_times WHERE NOT lifecycle), 0),
       sum(u.sent_bytes), sum(u.received_bytes)
FROM (SELECT rank, communicator AS object, sum(calls) AS calls, sum(open) AS open, total(time_ns) AS time_ns,
             sum(sent_bytes) AS sent_bytes, sum(received_bytes) AS received_bytes FROM rank_times WHERE communicator > 0
             GROUP BY 1, 2) u
     JOIN object o ON o.rank = u.rank AND o.object = u.object AND o.kind = 'communicator'
     JOIN object_keys k ON k.rank = u.rank AND k.object = u.object
     JOIN labels n ON n.rank = u.rank AND n.object = u.object
     LEFT JOIN communicator c ON c.rank = u.rank AND c.object = u.object
GROUP BY 1 ORDER BY total(u.time_ns) DESC, min(k.object_key) -- the row with this minimum supplies the label
;

-- kept: overview
CREATE VIEW function_time ( -- MPI time by function
    function, -- name
    class, -- class of the function
    ranks, -- ranks that called it
    calls, -- how many returned
    open, -- calls that have not returned
    seconds, -- time in these calls, all ranks together
    percent, -- percent of all MPI time without the class lifecycle
    longest_ns, -- longest call that returned
    sent_bytes, -- bytes that the program passed to the MPI
    received_bytes, -- bytes that the program got from the MPI
    least_seconds, -- least time of a rank that called it
    quarter_seconds, -- a quarter of these ranks has at most this time; within 1 %
    median_seconds, -- half of them; within 1 %
    three_quarters_seconds, -- three quarters of them; within 1 %
    most_seconds -- most time of a rank
) AS
WITH used (name, class, lifecycle, ranks, calls, open, time_ns, max_ns, sent_bytes, received_bytes, least_ns,
           quarter_ns, median_ns, three_quarters_ns, most_ns) AS MATERIALIZED (
    SELECT coalesce(f.name, 'function ' || s.function), f.class, coalesce(f.class = 'lifecycle', 0), s.ranks, s.calls,
           s.open, s.time_ns, s.max_ns, s.sent_bytes, s.received_bytes, s.least_ns, s.quarter_ns, s.median_ns,
           s.three_quarters_ns, s.most_ns
    FROM summary s LEFT JOIN function f ON f.function = s.function WHERE likely(s.part = 'function'))
SELECT name, class, ranks, calls, open, time_ns / 1e9,
       CASE WHEN NOT lifecycle
            THEN time_ns * 100.0 / nullif((SELECT total(time_ns) FROM used WHERE NOT lifecycle), 0) END,
       max_ns, sent_bytes, received_bytes, least_ns / 1e9, quarter_ns / 1e9, median_ns / 1e9, three_quarters_ns / 1e9,
       most_ns / 1e9
FROM used ORDER BY lifecycle, time_ns DESC, 1;

-- kept: overview
CREATE VIEW call_sites ( -- MPI time by call site
    function, -- MPI function
    location, -- call site: function, file and line
    site, -- number of the call site; 0: unknown
    ranks, -- ranks that called it from there
    calls, open, seconds, percent, sent_bytes, received_bytes, -- as in function_time
    module, -- executable or library of the call site
    build_id, -- its build id
    offset, -- return address relative to the module
    least_seconds, -- least time of a rank that called it from there
    quarter_seconds, median_seconds, three_quarters_seconds, most_seconds, -- as in function_time
    charged_site, -- call site of the first frame outside libraries that wrap MPI, as in charged_sites
    layer -- the library between them; NULL: none
) AS
WITH used (name, lifecycle, site, ranks, calls, open, time_ns, sent_bytes, received_bytes, least_ns,
           quarter_ns, median_ns, three_quarters_ns, most_ns) AS MATERIALIZED (
    SELECT coalesce(f.name, 'function ' || s.function), coalesce(f.class = 'lifecycle', 0), s.site, s.ranks, s.calls,
           s.open, s.time_ns, s.sent_bytes, s.received_bytes, s.least_ns, s.quarter_ns, s.median_ns,
           s.three_quarters_ns, s.most_ns
    FROM summary s LEFT JOIN function f ON f.function = s.function WHERE likely(s.part = 'site'))
SELECT u.name, s.location, u.site, u.ranks, u.calls, u.open, u.time_ns / 1e9,
       CASE WHEN NOT u.lifecycle
            THEN u.time_ns * 100.0 / nullif((SELECT total(time_ns) FROM used WHERE NOT lifecycle), 0) END,
       u.sent_bytes, u.received_bytes, s.module, s.build_id, s.offset, u.least_ns / 1e9, u.quarter_ns / 1e9,
       u.median_ns / 1e9, u.three_quarters_ns / 1e9, u.most_ns / 1e9, coalesce(c.charged_site, u.site),
       c.layer
FROM used u LEFT JOIN sites s ON s.site = u.site LEFT JOIN charged_sites c ON c.site = u.site
ORDER BY u.lifecycle, u.time_ns DESC, 1, u.site;

CREATE VIEW site_paths ( -- the functions around each call site
    site, -- number of the call site
    path -- functions from the outermost one to the innermost, with ";" after each. A function that was inlined follows
        -- the one that contains it. Unresolved frames are "module+0xoffset". Frames of the C library and those that
        -- start the program or a thread are left out
) AS
WITH RECURSIVE
    frames (site, caller, function, inlined, c_library) AS (
        SELECT site, caller,
               replace(coalesce(function, replace(module, rtrim(module, replace(module, '/', '')), '')
                                          || printf('+0x%x', offset), printf('0x%x', offset)), ';', ','),
               coalesce(instr(function, ' (inlined into '), 0),
               coalesce(module GLOB '*/libc.so*' OR module GLOB '*/libc-*' OR module GLOB '*/libpthread*'
                        OR module GLOB '*/ld-*', 0)
        FROM sites),
    steps (site, caller, name, c_library) AS (
        SELECT site, caller,
               CASE WHEN inlined
                    THEN substr(function, inlined + 15, length(function) - inlined - 15) || ';'
                         || substr(function, 1, inlined - 1)
                    ELSE function END || ';',
               c_library
        FROM frames),
    -- from the outermost functions inwards; below one of the C library, the outermost one starts the program
    walk (site, path, outermost) AS (
        SELECT site, CASE WHEN c_library THEN '' ELSE name END, 1 FROM steps WHERE caller IS NULL
        UNION ALL
        SELECT t.site, CASE WHEN NOT t.c_library THEN w.path || t.name WHEN NOT w.outermost THEN w.path ELSE '' END, 0
        FROM walk w JOIN steps t ON t.caller = w.site)
SELECT site, path FROM walk;

CREATE VIEW call_paths ( -- MPI time by call path, as a folded stack. callsign report RUN call_tree shows the tree
    path, -- functions from the outermost one to the MPI function, with ";" between them, as in site_paths
    function, -- MPI function
    site, -- number of the call site; 0: unknown
    lifecycle, -- 1: class lifecycle: MPI_Init, MPI_Finalize and similar
    ranks, calls, open, -- as in call_sites
    time_ns, -- time in these calls, all ranks together
    percent, sent_bytes, received_bytes -- as in call_sites
) AS
WITH
    used (name, lifecycle, site, ranks, calls, open, time_ns, sent_bytes, received_bytes) AS MATERIALIZED (
        SELECT coalesce(f.name, 'function ' || s.function), coalesce(f.class = 'lifecycle', 0), s.site, s.ranks,
               s.calls, s.open, s.time_ns, s.sent_bytes, s.received_bytes
        FROM summary s LEFT JOIN function f ON f.function = s.function WHERE likely(s.part = 'site')),
    paths (site, path) AS MATERIALIZED (SELECT site, path FROM site_paths)
SELECT coalesce(p.path, '') || u.name, u.name, u.site, u.lifecycle, u.ranks, u.calls, u.open, u.time_ns,
       CASE WHEN NOT u.lifecycle
            THEN u.time_ns * 100.0 / nullif((SELECT total(time_ns) FROM used WHERE NOT lifecycle), 0) END,
       u.sent_bytes, u.received_bytes
FROM used u LEFT JOIN paths p ON p.site = u.site
ORDER BY u.lifecycle, u.time_ns DESC, 1, u.site;

-- kept: overview
CREATE VIEW balance ( -- how evenly the members of a communicator, window or file spend time in a function, and which of
        -- them is late
    -- If every member waits for all others, a call ends at about the same time on all of them. The member with the
    -- least time came last; time beyond that is waiting. Similar communicators (see similar_objects) with the same
    -- members in the same order share a row. Intercommunicators, and communicators of which a member's trace is
    -- missing, have no row.
    communicator, -- name of the communicator, window or file, or how the first of them was created
    id, -- id of the first of them: object.uid, as in run_communicators
    communicators, -- number of communicators in the row
    size, -- number of members
    function, -- function that they called
    class, -- class of the function
    ranks, -- ranks that called it
    calls, -- calls that returned, all members together
    open, -- calls that have not returned
    seconds, -- time in these calls, all members together
    least_seconds, -- least time of one member; 0 for a member that did not call it
    next_seconds, -- least time of the other members: shows whether one rank alone is late
    mean_seconds, -- mean over all members
    most_seconds, -- most time of one member
    least_rank, -- rank in MPI_COMM_WORLD that spent the least time
    most_rank, -- rank in MPI_COMM_WORLD that spent the most time
    latest_rank, -- rank that the others wait for: least_rank. NULL: the function does not synchronize all members,
        -- took no time, or a member called MPI past callsign
    waiting_seconds, -- the members' waiting time, added up, about: seconds - size * least_seconds. It is more if
        -- several are late in turn, and less if a member lost its core after the last one came
    waiting_least_seconds, -- lower bound of it: without the time for which members may have lacked a core. NULL:
        -- unknown
    waiting_percent, -- waiting_seconds as share of seconds
    waiting_most_seconds, -- upper bound of their waiting time, if the fastest call did not wait: seconds - calls * its
        -- time
    similar_to, -- the first of the similar ones, as in similar_objects
    members, -- members of the first of them: world ranks as ranges; NULL: not recorded
    kind -- communicator, window, file
) AS
WITH team (team, first, similar_to, members, communicators) AS MATERIALIZED (
         SELECT team, min(first), min(similar_to), max(members), count(*) FROM teams GROUP BY 1)
SELECT n.label, l.team, t.communicators, l.size, f.name, f.class, l.ranks, l.calls, l.open, l.time_ns / 1e9,
       l.least_ns / 1e9, l.next_ns / 1e9, l.time_ns / 1e9 / l.size, l.most_ns / 1e9, l.least_rank,
       l.most_rank,
       CASE WHEN w.function THEN l.least_rank END,
       CASE WHEN w.function THEN (l.time_ns - l.size * l.least_ns) / 1e9 END,
       CASE WHEN w.function THEN max(0, l.time_ns - l.size * l.least_ns - l.delay_ns) / 1e9 END,
       CASE WHEN w.function THEN (l.time_ns - l.size * l.least_ns) * 100.0 / l.time_ns END,
       CASE WHEN w.function THEN max(l.time_ns - l.calls * l.fastest_ns, l.time_ns - l.size * l.least_ns) / 1e9 END,
       t.similar_to, t.members, o.kind
-- in this order: SQLite does not know how many rows a team has
FROM team_times l CROSS JOIN team t CROSS JOIN object o CROSS JOIN labels n
     LEFT JOIN function f ON f.function = l.function
     LEFT JOIN function w ON w.function = l.function AND w.synchronizing AND l.time_ns > 0
                             AND l.team NOT IN (SELECT id FROM bypassed_objects)
WHERE t.team = l.team AND o.rank = t.first >> 32 AND o.object = t.first & 4294967295 AND n.rank = o.rank
      AND n.object = o.object
ORDER BY 18 DESC, l.time_ns DESC, 1, 5;

-- shared: overview
CREATE VIEW teams ( -- communicators, windows and files of which the traces of all members are there. Those that are
        -- similar (see similar_objects) and have the same members in the same order are a team
    id, -- its id: object.uid, as in run_communicators
    team, -- id of the first one of the team
    size, -- number of members
    first, -- the object on its lowest rank: object_key
    similar_to, -- the first of the similar ones, as in similar_objects
    members -- world ranks as ranges; NULL: not recorded
) AS
-- what the traces of all members say
WITH shared (id, first, similar_to, members, size) AS MATERIALIZED (
         SELECT o.id, min(o.object_key), min(g.similar_to), max(c.members), max(c.size)
         FROM object_keys o
              JOIN communicator c ON c.rank = o.rank
                                     AND c.object = CASE o.kind WHEN 'communicator' THEN o.object ELSE o.parent END
              JOIN similar_groups g ON g.similar = o.similar
         WHERE o.kind IN ('communicator', 'window', 'file') AND o.id <> o.object_key -- its uid is known
               AND c.remote_size IS NULL
         GROUP BY 1 HAVING count(*) = max(c.size) AND max(c.size) > 1),
     named (id, team, size, first, similar_to, members) AS (
         SELECT id, first_value(id) OVER same, size, first, similar_to, members
         FROM shared WINDOW same AS (PARTITION BY similar_to, coalesce(members, id), size ORDER BY first))
-- grouped, because SQLite makes no index of rows that come from window functions
SELECT CAST(id AS INT), CAST(team AS INT), size, first, similar_to, members FROM named GROUP BY id;

CREATE VIEW team_members ( -- members of the communicators, windows and files in teams
    rank, -- rank of the process
    object, -- its number within the rank
    team, id, size -- as in teams
) AS
-- SQLite keeps the order of a CROSS JOIN: it looks up each of the many rows on the left in an index of the right
WITH team (id, team, size) AS MATERIALIZED (SELECT id, team, size FROM teams)
SELECT o.rank, o.object, g.team, g.id, g.size
FROM object o CROSS JOIN team g
     JOIN communicator c ON c.rank = o.rank
                            AND c.object = CASE o.kind WHEN 'communicator' THEN o.object ELSE o.parent END
WHERE g.id = o.uid AND o.kind IN ('communicator', 'window', 'file') AND c.remote_size IS NULL;

-- shared: overview
CREATE VIEW team_times ( -- how members of teams spend time in a function: figures of the view balance
    team, -- as in teams
    function, -- number of the function
    size, -- number of members
    ranks, -- ranks that called it
    calls, -- calls that returned, all members together
    open, -- calls that have not returned
    time_ns, -- time in these calls, all members together
    fastest_ns, -- shortest call that returned; 0: no known time
    least_ns, -- least time of one member; 0 for a member that did not call it
    next_ns, -- least time of the other members
    most_ns, -- most time of one member
    least_rank, -- lowest rank that spent the least time
    most_rank, -- lowest rank that spent the most time
    delay_ns -- time for which the members may have lacked a core, as part of their times beyond least_ns: an upper
        -- bound. NULL: the kernel does not tell, or a member did not finalize
) AS
WITH part (rank, object, team, id, size) AS MATERIALIZED (SELECT rank, object, team, id, size FROM team_members),
     -- without a core in all of the time, and in some calls
     thread_delay (rank, ns) AS MATERIALIZED (
         SELECT u.rank, CASE WHEN count(u.delay_ns) = count(*) THEN sum(u.delay_ns) END
         FROM thread_usage u JOIN process p ON p.rank = u.rank AND p.outcome = 'finalized' GROUP BY 1),
     lacking (team, function, rank, seen_ns, delay_ns) AS MATERIALIZED (
         SELECT t.team, s.function, s.rank, sum(s.call_seen_ns),
                sum(coalesce(min(s.call_seen_ns, s.call_delay_most_ns), s.call_seen_ns))
         FROM stretch s CROSS JOIN part t
         WHERE t.rank = s.rank AND t.object = coalesce(nullif(s.object, 0), s.communicator)
         GROUP BY 1, 2, 3),
     spent (team, function, rank, calls, open, time_ns, min_ns, size) AS MATERIALIZED (
         SELECT t.team, p.function, p.rank, sum(p.calls), sum(p.open), total(p.time_ns), min(p.min_ns), t.size
         FROM rank_time p CROSS JOIN part t
         WHERE t.rank = p.rank AND t.object = coalesce(nullif(p.object, 0), p.communicator)
         GROUP BY 1, 2, 3),
     line (team, function, size, callers, ranks, calls, open, time_ns, fastest_ns, least_ns, most_ns) AS MATERIALIZED (
         SELECT s.team, s.function, max(s.size), count(*), sum(s.calls + s.open > 0), sum(s.calls), sum(s.open),
                total(s.time_ns), coalesce(min(s.min_ns), 0), min(s.time_ns), max(s.time_ns)
         FROM spent s GROUP BY 1, 2 HAVING sum(s.calls + s.open) > 0),
     place (team, function, least_rank, most_rank, least_ranks, next_ns) AS MATERIALIZED (
         SELECT s.team, s.function, min(CASE WHEN s.time_ns = l.least_ns THEN s.rank END),
                min(CASE WHEN s.time_ns = l.most_ns THEN s.rank END), sum(s.time_ns = l.least_ns),
                min(CASE WHEN s.time_ns > l.least_ns THEN s.time_ns END)
         FROM spent s JOIN line l ON l.team = s.team AND l.function = s.function GROUP BY 1, 2),
     -- members that did not call a function which others called
     short (team, function) AS MATERIALIZED (SELECT team, function FROM line WHERE callers < size),
     caller (team, function, rank) AS MATERIALIZED (
         SELECT s.team, s.function, s.rank
         FROM spent s CROSS JOIN short l WHERE l.team = s.team AND l.function = s.function),
     idle (team, function, ranks, rank) AS MATERIALIZED (
         SELECT l.team, l.function, count(*), min(m.rank)
         FROM short l JOIN part m ON m.team = l.team AND m.id = l.team
         WHERE NOT EXISTS (SELECT 1 FROM caller s
                           WHERE s.team = l.team AND s.function = l.function AND s.rank = m.rank)
         GROUP BY 1, 2),
     -- what no sample covers may have been without a core, too
     delay (team, function, ns) AS MATERIALIZED (
         SELECT s.team, s.function,
                CASE WHEN count(d.ns) = count(*)
                     THEN total(min(d.ns, s.time_ns - coalesce(k.seen_ns, 0) + coalesce(k.delay_ns, 0),
                                    s.time_ns - l.least_ns)) END
         FROM spent s JOIN line l ON l.team = s.team AND l.function = s.function
              LEFT JOIN thread_delay d ON d.rank = s.rank
              LEFT JOIN lacking k ON k.team = s.team AND k.function = s.function AND k.rank = s.rank
         GROUP BY 1, 2)
SELECT l.team, l.function, l.callers + coalesce(i.ranks, 0), l.ranks, l.calls, l.open, l.time_ns, l.fastest_ns,
       CASE WHEN i.ranks THEN 0.0 ELSE l.least_ns END,
       CASE WHEN i.ranks > 1 THEN 0.0 WHEN i.ranks = 1 OR p.least_ranks > 1 THEN l.least_ns ELSE p.next_ns END,
       l.most_ns, CASE WHEN l.least_ns > 0 THEN coalesce(i.rank, p.least_rank)
                       ELSE min(p.least_rank, coalesce(i.rank, p.least_rank)) END,
       CASE WHEN l.most_ns > 0 THEN p.most_rank ELSE min(p.most_rank, coalesce(i.rank, p.most_rank)) END,
       d.ns
FROM line l JOIN place p ON p.team = l.team AND p.function = l.function
     JOIN delay d ON d.team = l.team AND d.function = l.function
     LEFT JOIN idle i ON i.team = l.team AND i.function = l.function;

-- kept: others
CREATE VIEW message_sizes ( -- sizes of messages, collective calls and transfers: one row for each power of two, on
        -- each communicator, window and file
    communicator, -- name of the communicator, window or file, or how it was created
    kind, -- point-to-point: sent messages, at their sender; persistent: started by MPI_Start and
        -- MPI_Startall, sent messages and collectives; collective: calls of each rank; one-sided: put, get
        -- and accumulate; file: reads and writes
    size_class, -- 0: no data; else floor(log2(bytes)) + 1
    least_bytes, -- smallest size of the class
    most_bytes, -- largest size of the class
    ranks, -- ranks that made such calls
    messages, -- their number. MPI_Startall: a lower bound, from their bytes. Without data: point-to-point also to
        -- MPI_PROC_NULL; none for one-sided and file
    bytes, -- their bytes. Collective: for each call the larger of sent and received, each partner counted
    similar_to -- the communicator, window or file, as in similar_objects; NULL: none
) AS
WITH size (first, kind, size_class, ranks, messages, bytes) AS MATERIALIZED (
         SELECT coalesce(g.similar_to, s.similar), s.kind, s.size_class, s.ranks, s.calls, s.sent_bytes
         FROM summary s LEFT JOIN similar_groups g ON g.similar = s.similar WHERE likely(s.part = 'size'))
SELECT n.label, m.kind, m.size_class, CASE m.size_class WHEN 0 THEN 0 ELSE 1 << (m.size_class - 1) END,
       (1 << m.size_class) - 1, m.ranks, m.messages, m.bytes, nullif(m.first, 0)
FROM size m LEFT JOIN labels n ON n.rank = m.first >> 32 AND n.object = m.first & 4294967295 AND m.first <> 0
ORDER BY n.label, m.first, m.kind, m.size_class;

CREATE VIEW message_size_halves ( -- for each kind of messages, calls and transfers: the size that half of them do not
        -- exceed, and the size from which on they carry half of the data
    kind, -- as in message_sizes
    messages, -- how many
    bytes, -- in them
    messages_half_bytes, -- half of them have at most this size
    bytes_half_bytes -- those of this size and more have half of the data
) AS
WITH size (kind, size_class, least_bytes, most_bytes, messages, bytes) AS MATERIALIZED (
         SELECT kind, size_class, least_bytes, most_bytes, sum(messages), sum(bytes) FROM message_sizes GROUP BY 1, 2),
     summed (kind, least_bytes, most_bytes, up_to, from_on, messages, bytes) AS (
         SELECT kind, least_bytes, most_bytes, sum(messages) OVER (PARTITION BY kind ORDER BY size_class),
                sum(bytes) OVER (PARTITION BY kind ORDER BY size_class DESC),
                sum(messages) OVER (PARTITION BY kind), sum(bytes) OVER (PARTITION BY kind)
         FROM size)
SELECT kind, max(messages), max(bytes), min(CASE WHEN up_to * 2 >= messages THEN most_bytes END),
       max(CASE WHEN from_on * 2 >= bytes THEN least_bytes END)
FROM summed GROUP BY kind ORDER BY kind;

CREATE VIEW calls ( -- MPI time of each rank by communicator, window or file, and function. call_times has it by call
        -- site and size, too
    rank, -- rank of the process
    communicator, -- name, or how it was created; "(no communicator)"
    communicator_uid, -- its id in run_communicators: different communicators may have the same name. NULL: no
        -- communicator
    communicator_object, -- its number within the rank; 0: none
    object, -- window or file: its number within the rank; 0: neither
    object_name, -- name of the window or file, or how it was created; NULL: neither
    function, -- name
    class, -- class of the function
    calls, -- how many returned
    open, -- calls that have not returned
    time_ns, -- in both together
    min_ns, -- shortest call that returned
    max_ns, -- longest call that returned
    sent_bytes, -- bytes that the program passed to the MPI
    received_bytes -- bytes that the program got from the MPI
) AS
-- SQLite computes a subquery only if its column is read, but a join always
SELECT r.rank,
       coalesce((SELECT label FROM labels n WHERE n.rank = r.rank AND n.object = r.communicator), '(no communicator)'),
       (SELECT id FROM object_keys k WHERE k.rank = r.rank AND k.object = r.communicator), r.communicator, r.object,
       (SELECT label FROM labels w WHERE w.rank = r.rank AND w.object = r.object), r.name, r.class, r.calls, r.open,
       r.time_ns, r.min_ns, r.max_ns, r.sent_bytes, r.received_bytes
FROM rank_times r;

CREATE VIEW rank_times ( -- MPI time of each rank by object and function
    rank, communicator, object, function, name, class, lifecycle, calls, open, time_ns, min_ns, -- as in call_times
    max_ns, sent_bytes, received_bytes -- as in call_times
) AS
SELECT r.rank, r.communicator, r.object, r.function, coalesce(f.name, 'function ' || r.function), f.class,
       coalesce(f.class = 'lifecycle', 0), r.calls, r.open, r.time_ns, r.min_ns, r.max_ns, r.sent_bytes,
       r.received_bytes
FROM rank_time r LEFT JOIN function f ON f.function = r.function;
