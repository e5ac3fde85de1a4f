-- Views: communicators, and how their members see them.

-- kept: others
CREATE VIEW communicators ( -- the communicators of the run; similar ones (see similar_objects) together
    name, -- name of one of them; NULL: none has a name
    names, -- number of different names in the row
    name_origin, -- program, mpi, rule, derived
    size, -- number of processes
    parent, -- name of the communicator that it was created from
    created_by, -- function
    location, -- call site: function, file and line
    ranks, -- ranks that have such a communicator
    objects, -- their number on all ranks together
    freed, -- number of freed ones
    topology, -- none, graph, cart, dist_graph
    created_ns, -- creation of the first
    first_object -- lowest number of an object in the row
) AS
SELECT g.name, g.names, g.name_origin, g.size, g.parent, f.name, s.location, g.ranks, g.objects, g.freed, g.topology,
       g.created_ns, g.first_object
FROM (SELECT min(nullif(o.name, '')) AS name, count(DISTINCT o.name) AS names, max(o.name_origin) AS name_origin,
             c.size, min(nullif(p.name, '')) AS parent, o.function, o.site, count(DISTINCT o.rank) AS ranks,
             count(*) AS objects, sum(o.freed_ns IS NOT NULL) AS freed, max(c.topology) AS topology,
             min(o.created_ns) AS created_ns, min(o.object) AS first_object
      FROM object o JOIN similar_objects a USING (rank, object) LEFT JOIN communicator c USING (rank, object)
           LEFT JOIN object p ON p.rank = o.rank AND p.object = o.parent
      WHERE o.kind = 'communicator' GROUP BY a.similar_to) g
     LEFT JOIN function f ON f.function = g.function LEFT JOIN sites s ON s.site = g.site
ORDER BY g.first_object;

CREATE VIEW similar_objects ( -- communicators, windows and files that are similar: equal name, size, parent, creating
        -- function and call site. Derived names count as no name
    rank, -- rank of the process
    object, -- number within the rank
    similar_to, -- object_key of the first similar one
    first_rank, -- rank of the first
    first_object -- its number within that rank
) AS
SELECT o.rank, o.object, g.similar_to, g.similar_to >> 32, g.similar_to & 4294967295
FROM object_keys o JOIN similar_groups g USING (similar)
WHERE o.kind IN ('communicator', 'window', 'file');

-- shared: overview, others
CREATE VIEW similar_groups ( -- the groups of similar communicators, windows and files
    similar, -- as in object_keys
    similar_to -- object_key of the first
) AS
WITH first (similar, similar_to) AS MATERIALIZED (
         SELECT similar, min(object_key) FROM object_keys
         WHERE kind IN ('communicator', 'window', 'file') GROUP BY 1)
SELECT similar, similar_to FROM first;

-- kept: others
CREATE VIEW run_communicators ( -- the communicators of the run, one row each, however many ranks are in it
    id, -- number in this view, as in object_keys; without object.uid each rank has a row
    rank, -- lowest rank that has it
    object, -- its number there
    name, -- name on that rank, or on another
    size, -- number of processes in it; for an intercommunicator, in the local group
    remote_size, -- processes in the remote group; NULL: an intracommunicator
    members, -- ranks in MPI_COMM_WORLD in order, as ranges; NULL: an intercommunicator, or the first member has no
        -- trace
    topology, -- none, graph, cart, dist_graph
    parent, -- id of the communicator that it was created from
    created_by, -- function
    site, -- call site
    ranks, -- recorded ranks that have it
    freed, -- number of these ranks that freed it
    created_ns, -- creation on the first rank
    freed_ns, -- free on the last rank; NULL: some ranks did not free it
    predefined, -- 1: belongs to the MPI
    congruent_to -- id of the first communicator with the same members in the same order; NULL: this is the first, or
        -- not all members are known
) AS
WITH one (id, object_key, rank, object, name, members, remote_size, predefined, created_ns, freed_ns) AS (
         SELECT k.id, k.object_key, rank, object, nullif(o.name, ''), c.members, c.remote_size, o.predefined,
                o.created_ns, o.freed_ns
         FROM object o JOIN object_keys k USING (rank, object) LEFT JOIN communicator c USING (rank, object)
         WHERE o.kind = 'communicator'),
     lowest (id, rank, object, object_key) AS MATERIALIZED (
         SELECT id, rank, object, min(object_key) FROM one GROUP BY id),
     g (id, name, members, predefined, ranks, freed, created_ns, freed_ns) AS MATERIALIZED (
         SELECT id, max(name), CASE WHEN min(remote_size) IS NULL THEN max(members) END, max(predefined), count(*),
                count(freed_ns), min(created_ns), max(freed_ns)
         FROM one GROUP BY id),
     original (members, id) AS MATERIALIZED (
         SELECT members, id
         FROM (SELECT members, id,
                      row_number() OVER (PARTITION BY members ORDER BY predefined DESC, created_ns, id) AS number FROM g
               WHERE members NOT GLOB '*[.?]*') -- "...": a list that is too long; "?": a process of another world
         WHERE number = 1)
SELECT g.id, o.rank, o.object, coalesce(nullif(o.name, ''), g.name), c.size, c.remote_size, g.members, c.topology,
       CASE WHEN p.kind = 'communicator' THEN k.id END, f.name, o.site, g.ranks, g.freed,
       g.created_ns, CASE WHEN g.freed = g.ranks THEN g.freed_ns END, o.predefined, nullif(first.id, g.id)
FROM g JOIN lowest l ON l.id = g.id JOIN object o ON o.rank = l.rank AND o.object = l.object
     LEFT JOIN communicator c ON c.rank = o.rank AND c.object = o.object
     LEFT JOIN object p ON p.rank = o.rank AND p.object = o.parent
     LEFT JOIN object_keys k ON k.rank = p.rank AND k.object = p.object LEFT JOIN function f ON f.function = o.function
     LEFT JOIN original first ON first.members = g.members;

-- kept: others
CREATE VIEW disagreements ( -- differences between the members of a communicator
    about, -- name, size, attribute: rows of a communicator contradict each other, or members of MPI_COMM_WORLD get
        -- different answers although the standard has one; messages: sender and receiver counts differ (see
        -- traffic_differences), though neither trace lacks anything; order: created before and after another one;
        -- freed: by some members, while others that finalized still hold it
    communicator, -- id, as in run_communicators
    rank, -- rank of the row
    kind, -- named, unnamed; size; stored, not_stored: a value under a key; found, not_found: when the rank queried the
        -- key; answer: of the MPI; sent_not_received, sent_too_long, sent_less and received_less, received_truncated,
        -- received_more: messages of the sender and of the receiver of a pair; created_before: the other one; freed,
        -- not_freed
    attribute, -- stored, found, answer and their opposites: its name; NULL: the key is the program's own
    key_location, -- key of the attribute: call site of its creation; NULL: unknown
    keyval, -- key of the attribute: its number on this rank, if nothing else is known
    value, -- named: the name; stored: kind of the value; answer: the answer
    size, -- size: processes
    remote_size, -- size: processes of the remote group of an intercommunicator
    other -- created_before: id of the other communicator
) AS
-- side: the groups of an intercommunicator may differ
WITH member (id, side, rank, object, name, size, remote_size, created) AS MATERIALIZED (
         SELECT o.uid, CASE WHEN c.remote_size IS NULL THEN 0 ELSE coalesce(p.uid, 0) END, o.rank, o.object,
                CASE WHEN o.name_origin IN ('program', 'rule') THEN nullif(o.name, '') END, c.size, c.remote_size,
                o.function IS NOT NULL AND NOT o.internal
         FROM object o LEFT JOIN communicator c USING (rank, object)
              LEFT JOIN object p ON p.rank = o.rank AND p.object = o.parent
         WHERE o.kind = 'communicator' AND o.uid IS NOT NULL),
     divided (id, side, names, sizes, members) AS MATERIALIZED (
         SELECT id, side, min(coalesce(name, '')) < max(coalesce(name, '')),
                min(size) < max(size) OR min(remote_size) < max(remote_size), count(*)
         FROM member GROUP BY 1, 2),
     asked (id, side, key, rank, attribute, key_location, keyval, stored, found) AS MATERIALIZED (
         SELECT m.id, m.side, CASE WHEN a.predefined THEN a.key ELSE coalesce(' ' || s.location, a.keyval) END, a.rank,
                CASE WHEN a.predefined THEN a.key END, CASE WHEN NOT a.predefined THEN s.location END,
                CASE WHEN NOT a.predefined AND s.location IS NULL THEN a.keyval END,
                min(CASE a.operation WHEN 'set' THEN a.value_kind END),
                max(CASE a.operation WHEN 'get' THEN a.found END)
         FROM attributes a JOIN member m ON m.rank = a.rank AND m.object = a.object
              LEFT JOIN sites s ON s.site = a.key_site
         WHERE a.error IS NULL
         GROUP BY 1, 2, 3, 4),
     key (id, side, key, attribute, key_location, keyval, stored, found) AS (
         SELECT a.id, a.side, a.key, min(a.attribute), min(a.key_location), min(a.keyval),
                count(a.stored) BETWEEN 1 AND d.members - 1 OR min(a.stored) < max(a.stored),
                min(a.found) < max(a.found)
         FROM asked a JOIN divided d ON d.id = a.id AND d.side = a.side GROUP BY 1, 2, 3),
     leader (id, rank) AS (SELECT id, min(rank) FROM member WHERE created GROUP BY 1 HAVING count(*) > 1),
     led (id, leader, number) AS MATERIALIZED ( -- number: number of the leader's object
         SELECT l.id, l.rank, m.object FROM leader l JOIN member m ON m.id = l.id AND m.rank = l.rank),
     -- Two communicators with the same leader (lowest member), created by a rank in the opposite order to the leader's.
     turned (rank, leader, earlier, later) AS (
         SELECT rank, leader, before, id
         FROM (SELECT m.rank, p.leader, m.id, p.number, lag(m.id) OVER ordered AS before,
                      lag(p.number) OVER ordered AS before_number
               FROM member m JOIN led p ON p.id = m.id WHERE m.created
               WINDOW ordered AS (PARTITION BY m.rank, p.leader ORDER BY m.object))
         WHERE before_number > number),
     -- Two communicators with different leaders that directly follow each other, in both orders.
     follow (rank, earlier, later) AS MATERIALIZED (
         SELECT rank, CAST(before AS INT), CAST(id AS INT)
         FROM (SELECT m.rank, m.id, p.leader, lag(m.id) OVER ordered AS before,
                      lag(p.leader) OVER ordered AS before_leader
               FROM member m JOIN led p ON p.id = m.id WHERE m.created
               WINDOW ordered AS (PARTITION BY m.rank ORDER BY m.object))
         WHERE before_leader <> leader),
     pair (earlier, later) AS (SELECT DISTINCT earlier, later FROM follow),
     swapped (rank, earlier, later) AS (
         SELECT rank, earlier, later FROM turned UNION SELECT leader, later, earlier FROM turned
         UNION SELECT f.rank, f.earlier, f.later FROM pair a JOIN pair b ON b.earlier = a.later AND b.later = a.earlier
                                                       JOIN follow f ON f.earlier = a.earlier AND f.later = a.later),
     -- freed by some members only; a rank that ended early might have freed it
     held (id) AS MATERIALIZED (
         SELECT o.uid FROM object o LEFT JOIN process p ON p.rank = o.rank
         WHERE o.kind = 'communicator' AND o.uid IS NOT NULL AND NOT o.internal AND NOT o.predefined
         GROUP BY 1 HAVING count(o.freed_ns) > 0 AND sum(o.freed_ns IS NULL AND p.outcome = 'finalized') > 0)
SELECT 'name', m.id, m.rank, CASE WHEN m.name IS NULL THEN 'unnamed' ELSE 'named' END, NULL, NULL, NULL, m.name, NULL,
       NULL, NULL
FROM divided d JOIN member m ON m.id = d.id AND m.side = d.side WHERE d.names
UNION ALL
SELECT 'size', m.id, m.rank, 'size', NULL, NULL, NULL, NULL, m.size, m.remote_size, NULL
FROM divided d JOIN member m ON m.id = d.id AND m.side = d.side WHERE d.sizes
UNION ALL
SELECT 'attribute', m.id, m.rank, CASE WHEN a.stored IS NULL THEN 'not_stored' ELSE 'stored' END, k.attribute,
       k.key_location, k.keyval, a.stored, NULL, NULL, NULL
FROM key k JOIN member m ON m.id = k.id AND m.side = k.side
     LEFT JOIN asked a ON a.id = k.id AND a.side = k.side AND a.key = k.key AND a.rank = m.rank
WHERE k.stored
UNION ALL
SELECT 'attribute', a.id, a.rank, CASE a.found WHEN 1 THEN 'found' ELSE 'not_found' END, a.attribute, a.key_location,
       a.keyval, NULL, NULL, NULL, NULL
FROM key k JOIN asked a ON a.id = k.id AND a.side = k.side AND a.key = k.key WHERE k.found AND a.found IS NOT NULL
UNION ALL
SELECT 'attribute', o.uid, o.rank, 'answer', f.name, NULL, NULL, f.answer, NULL, NULL, NULL
FROM attribute_findings_by_rank f CROSS JOIN object o ON o.rank = f.rank AND o.object = f.object
WHERE f.kind = 'attribute_differs' AND o.kind = 'communicator' AND o.uid IS NOT NULL
UNION ALL
SELECT 'messages', t.communicator_uid, CASE w.side WHEN 0 THEN t.source ELSE t.dest END,
       CASE t.reason WHEN 'not sent' THEN CASE w.side WHEN 0 THEN 'sent_less' ELSE 'received_more' END
                     WHEN 'truncated' THEN CASE w.side WHEN 0 THEN 'sent_too_long' ELSE 'received_truncated' END
                     ELSE CASE w.side WHEN 0 THEN 'sent_not_received' ELSE 'received_less' END END,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM traffic_differences t, (SELECT 0 AS side UNION SELECT 1) w
WHERE t.reason IN ('not received', 'not sent', 'truncated')
GROUP BY 2, 3, 4
UNION ALL
SELECT 'order', earlier, rank, 'created_before', NULL, NULL, NULL, NULL, NULL, NULL, later FROM swapped
UNION ALL
SELECT 'freed', f.id, h.rank, CASE WHEN h.freed_ns IS NULL THEN 'not_freed' ELSE 'freed' END, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL
FROM held f JOIN object h ON h.uid = f.id AND h.kind = 'communicator'
WHERE h.freed_ns IS NOT NULL OR h.rank IN (SELECT rank FROM process WHERE outcome = 'finalized');

-- kept: others
CREATE VIEW congruent ( -- communicators that had the same members in the same order at the same time, so that one may
        -- do for both
    -- MPI_Comm_compare calls such a pair MPI_CONGRUENT. Communicators with a reason are left out: duplicates, which
    -- separate a library's messages; parts by MPI_Comm_split_type, which differ on other machines; topologies;
    -- communicators with attributes of the program.
    communicator, -- id, as in run_communicators, of the one that was created later
    other, -- id of the one that existed already; if several, the one that lived longest
    name, -- name of communicator
    other_name, -- name of other
    size, -- number of members
    created_by, -- function that created `communicator`
    site -- call site
) AS
-- rival: larger for a longer life; ends with the id
WITH candidate (id, name, size, members, created_by, site, created_ns, rival) AS (
         SELECT id, c.name, size, members, created_by, site, coalesce(created_ns, 0) - predefined,
                printf('%020d%d%020d', coalesce(freed_ns, 1 << 62), predefined, (1 << 62) - coalesce(created_ns, 0))
                || id
         FROM run_communicators c LEFT JOIN function f ON f.name = c.created_by
         WHERE remote_size IS NULL AND size > 1 AND coalesce(topology, 'none') = 'none'
               AND members NOT GLOB '*[.?]*' -- "...": a list that is too long; "?": a process of another world
               AND coalesce(f.creates, '') NOT IN ('dup', 'split_type')
               AND id NOT IN (SELECT k.id FROM attribute a JOIN object_keys k USING (rank, object)
                              WHERE a.operation = 'set' AND a.error IS NULL)),
     later (id, name, size, created_by, site, created_ns, rival) AS (
         SELECT id, name, size, created_by, site, created_ns,
                max(rival) OVER (PARTITION BY members, size
                                 ORDER BY created_ns, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
         FROM candidate)
SELECT l.id, o.id, l.name, o.name, l.size, l.created_by, l.site
FROM later l LEFT JOIN run_communicators o ON o.id = CAST(substr(l.rival, 42) AS INT)
WHERE CAST(substr(l.rival, 1, 20) AS INT) > l.created_ns;

CREATE VIEW exclusions ( -- ranks that are not in a communicator: calls that gave them MPI_COMM_NULL, and calls of
        -- MPI_Comm_create_group by others; with the communicator that others got
    rank, -- rank without communicator: it passed MPI_UNDEFINED, or was in no group
    at_ns, -- time of the call; NULL: it made no call, as only members call MPI_Comm_create_group
    parent, -- name of the communicator of the call
    function, -- function that was called
    number, -- number of such creations on that communicator, including this one: the 2 of "split2". NULL: not
        -- counted
    family, -- family of the others' communicators, as in object
    others, -- name of the first communicator that others got; NULL: no recorded rank got one, or family is unknown
    communicators, -- number of different communicators that others got
    location -- call site: function, file and line; NULL: no call, or unknown
) AS
WITH got (family, name, communicators) AS MATERIALIZED (
         SELECT family, min(nullif(name, '')), count(DISTINCT uid) FROM object
         WHERE kind = 'communicator' AND family IS NOT NULL GROUP BY 1),
     member (family, rank, function, parent, created_ns) AS MATERIALIZED (
         SELECT o.family, o.rank, f.name, p.uid, o.created_ns
         FROM object o JOIN function f ON f.function = o.function
              JOIN object p ON p.rank = o.rank AND p.object = o.parent
         WHERE f.creates = 'group' AND o.family IS NOT NULL AND NOT o.internal),
     made (family, function, parent, created_ns) AS MATERIALIZED (
         SELECT family, function, CAST(max(parent) AS INT), min(created_ns) FROM member GROUP BY 1, 2)
SELECT e.rank, e.at_ns, p.label, f.name, e.number, e.family, g.name, coalesce(g.communicators, 0), s.location
FROM exclusion e LEFT JOIN labels p ON p.rank = e.rank AND p.object = e.parent
     LEFT JOIN function f ON f.function = e.function
     LEFT JOIN got g ON g.family = e.family LEFT JOIN sites s ON s.site = e.site
UNION ALL
SELECT p.rank, NULL, n.label, m.function, NULL, m.family, g.name, g.communicators, NULL
FROM made m
     JOIN object p ON p.uid = m.parent AND p.kind = 'communicator' AND (p.freed_ns IS NULL OR p.freed_ns > m.created_ns)
     LEFT JOIN member i ON i.family = m.family AND i.rank = p.rank
     JOIN labels n ON n.rank = p.rank AND n.object = p.object
     JOIN got g ON g.family = m.family
WHERE i.rank IS NULL;
