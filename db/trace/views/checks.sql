-- Views: arguments that must agree on all members of a communicator, window or file, but do not.

CREATE VIEW collective_calls ( -- collective calls that several members of a communicator, window or file have kept:
        -- their last ones. Calls after one that returned an error are left out: from then on members may count
        -- differently
    id, -- id of the object, equal on all ranks that share it
    number, -- number of the call among those on the object, from 1
    rank, -- rank of the process
    object, -- communicator, window or file: its number within the rank
    function, -- number of the function, without its form for large counts
    root, -- root; NULL: none
    op, -- operation; NULL: none, or unknown
    compared, -- all, pairs, group, as in collective_call
    signature, -- as in collective_call
    own, -- as in collective_call
    size_bytes, -- as in collective_call
    own_bytes, -- as in collective_call
    type, -- datatype; NULL: none, several, or unknown
    site -- call site
) AS
SELECT CAST(o.uid AS INT), k.number, k.rank, k.object, k.function, k.root, k.op, k.compared, k.signature, k.own,
       k.size_bytes, k.own_bytes, k.type, nullif(k.site, 0)
-- in this order: most objects are not asked for
FROM object o CROSS JOIN collective_call k ON k.rank = o.rank AND k.object = o.object
     JOIN collective c ON c.rank = k.rank AND c.object = k.object
WHERE o.uid IS NOT NULL AND o.kind IN ('communicator', 'window', 'file') AND k.number <= coalesce(c.failed, k.number);

-- shared: overview
CREATE VIEW uneven_objects ( -- communicators, windows and files whose members may have made different collective calls:
        -- their numbers or hashes differ, or do not say it
    id -- id of the object, as in collective_calls
) AS
-- an object without a row in `collective` has no calls, or the row of a freed one is gone
SELECT CAST(o.uid AS INT)
FROM collective c JOIN object o ON o.rank = c.rank AND o.object = c.object
     LEFT JOIN communicator m ON m.rank = c.rank AND m.object = c.object
WHERE o.uid IS NOT NULL GROUP BY 1
HAVING count(*) < max(m.size + coalesce(m.remote_size, 0)) OR min(c.begun) < max(c.begun)
       OR min(c.hash) < max(c.hash) OR min(c.data_hash) < max(c.data_hash) OR count(c.data_unknown) > 0
       OR count(c.failed) > 0 OR min(o.freed_ns IS NULL) < max(o.freed_ns IS NULL);

CREATE VIEW mismatched_calls ( -- collective calls whose arguments differ between members although the standard requires
        -- that they agree. Only the first difference of a call is listed; after a call of different functions, the
        -- later calls on the object are left out
    id, -- id of the object, as in collective_calls
    number, -- number of the call
    kind -- what differs: function, root, operation, count (the size of the data), type (its basic types), group (the
        -- members of a group do not all pass it)
) AS
-- Objects outside uneven_objects have equal hashes on all members, and so equal calls, except for three kinds: calls
-- that hashes skip, those that send other data than they receive, and those between groups, whose roots must differ.
-- These are compared on all objects.
-- One reference to each view: SQLite plans each reference anew.
WITH uneven (id) AS MATERIALIZED (SELECT id FROM uneven_objects),
     compared (id, number) AS MATERIALIZED ( -- number NULL: all calls
         SELECT id, NULL FROM uneven
         UNION
         SELECT CAST(o.uid AS INT), k.number
         FROM collective_call k JOIN object o ON o.rank = k.rank AND o.object = k.object
         WHERE (k.own IS NOT NULL OR k.compared IN ('pairs', 'group') OR k.signature = 1) AND o.uid IS NOT NULL
               AND CAST(o.uid AS INT) NOT IN (SELECT id FROM uneven)
         UNION
         SELECT CAST(o.uid AS INT), k.number
         FROM communicator c CROSS JOIN object o ON o.rank = c.rank AND o.object = c.object
              CROSS JOIN collective_call k ON k.rank = c.rank AND k.object = c.object
         WHERE c.remote_size IS NOT NULL AND k.root >= 0 AND o.uid IS NOT NULL
               AND CAST(o.uid AS INT) NOT IN (SELECT id FROM uneven)),
     agreed (id, number, kind) AS MATERIALIZED (
         SELECT k.id, k.number,
                CASE WHEN min(k.function) < max(k.function) THEN 'function'
                     -- Intercommunicators: one member passes MPI_ROOT (-3), the others of its group MPI_PROC_NULL (-2),
                     -- and those of the other group the rank of the first
                     WHEN min(CASE WHEN k.root >= 0 OR c.remote_size IS NULL THEN k.root END) <
                          max(CASE WHEN k.root >= 0 OR c.remote_size IS NULL THEN k.root END)
                          OR sum(k.root = -3) > 1
                          OR max(CASE k.root WHEN -3 THEN c.own_rank END) <> max(CASE WHEN k.root >= 0 THEN k.root END)
                          OR count(k.root) = max(c.size + c.remote_size)
                             AND sum(k.root >= 0) <> coalesce(max(CASE k.root WHEN -3 THEN c.remote_size END), 0)
                     THEN 'root'
                     -- MPI_PROC_NULL: the operation has no meaning there
                     WHEN min(CASE WHEN k.root IS NOT -2 THEN k.op END) <
                          max(CASE WHEN k.root IS NOT -2 THEN k.op END) THEN 'operation'
                     WHEN min(k.compared) = 'all'
                     THEN CASE WHEN min(coalesce(min(k.bytes, k.owns), k.bytes, k.owns)) <
                                    max(coalesce(max(k.bytes, k.owns), k.bytes, k.owns)) THEN 'count'
                               WHEN min(coalesce(min(k.types, k.own_types), k.types, k.own_types)) <
                                    max(coalesce(max(k.types, k.own_types), k.types, k.own_types)) THEN 'type' END
                     -- sums: only if all members have kept the call
                     WHEN min(k.compared) = 'pairs' AND count(*) = max(c.size)
                     THEN CASE WHEN count(k.size_bytes) = count(*) AND count(k.own_bytes) = count(*)
                                    AND total(k.size_bytes) <> total(k.own_bytes) THEN 'count'
                               WHEN count(k.signature) = count(*) AND count(k.own) = count(*)
                                    AND sum(k.balance) % (1 << 40) <> 0 THEN 'type' END
                     -- The members that pass a group add up to 1, if all of them do.
                     WHEN min(k.compared) = 'group' AND count(k.size_bytes) = max(c.size)
                          AND total(k.own * 1.0 / k.size_bytes)
                              < count(DISTINCT CASE WHEN k.size_bytes > 0 THEN k.signature END) - 0.5 / max(c.size)
                     THEN 'group' END
         FROM (SELECT k.*, CASE WHEN k.signature IS NOT NULL THEN k.size_bytes END AS bytes,
                      CASE WHEN k.own IS NOT NULL THEN k.own_bytes END AS owns,
                      CASE WHEN k.signature NOT IN (1, 2) THEN k.signature END AS types,
                      CASE WHEN k.own NOT IN (1, 2) THEN k.own END AS own_types,
                      CASE k.compared WHEN 'pairs' THEN k.own - k.signature END AS balance
               FROM compared c JOIN collective_calls k
                    ON k.id = c.id AND k.number = coalesce(c.number, k.number)) k
              LEFT JOIN communicator c ON c.rank = k.rank AND c.object = k.object
         GROUP BY 1, 2 HAVING count(*) = count(DISTINCT k.rank)), -- a rank may have several objects with the same id
     parted (id, number, kind, function_differs) AS (
         SELECT *, min(CASE kind WHEN 'function' THEN number END) OVER (PARTITION BY id) FROM agreed
         WHERE kind IS NOT NULL)
SELECT id, number, kind FROM parted WHERE number <= coalesce(function_differs, number);

CREATE VIEW mismatched_ranges ( -- ranges of collective calls in which members differ, found by the hashes of all calls
    id, -- id of the object, as in collective_calls
    first, -- number of the first call that may be the one
    last, -- number of the last one
    kind -- call (function, operation or root differ), data (count or type)
) AS
WITH point (id, rank, number, hash, data_hash) AS MATERIALIZED (
         SELECT CAST(o.uid AS INT), o.rank, p.number, p.hash, CASE WHEN p.unknown > p.number THEN p.data_hash END
         -- in this order: few objects are uneven
         FROM object o
              CROSS JOIN (SELECT rank, object, number, hash, data_hash, coalesce(data_unknown, 1 << 62) AS unknown
                          FROM collective_point
                          UNION ALL
                          SELECT rank, object, begun, hash, data_hash, coalesce(data_unknown, 1 << 62)
                          FROM collective WHERE begun > 8 AND begun & (begun - 1)) p
              JOIN collective c ON c.rank = p.rank AND c.object = p.object
              LEFT JOIN communicator m ON m.rank = p.rank AND m.object = p.object
         WHERE o.uid IN (SELECT id FROM uneven_objects) AND p.rank = o.rank AND p.object = o.object
               AND m.remote_size IS NULL AND p.number <= coalesce(c.failed, p.number)),
     compared (id, number, members, calls_differ, data_differs) AS (
         SELECT id, number, count(*), min(hash) < max(hash), min(data_hash) < max(data_hash)
         FROM point GROUP BY 1, 2 HAVING count(*) = count(DISTINCT rank)), -- as in mismatched_calls
     judged (id, number, members, kind, last) AS (
         SELECT c.id, c.number, c.members, k.kind,
                min(CASE WHEN CASE k.kind WHEN 'call' THEN c.calls_differ ELSE c.data_differs AND NOT c.calls_differ END
                         THEN c.number END) OVER (PARTITION BY c.id, k.kind)
         FROM compared c JOIN (SELECT 'call' AS kind UNION ALL SELECT 'data') k),
     counted AS (
         SELECT *, max(CASE number WHEN last THEN members END) OVER (PARTITION BY id, kind) AS needed FROM judged
         WHERE last IS NOT NULL)
SELECT id, 1 + coalesce(max(CASE WHEN number < last AND members >= needed THEN number END), 0), last, kind
FROM counted GROUP BY id, kind;

CREATE VIEW missing_calls ( -- communicators, windows and files on which some members made fewer collective calls than
        -- others, although all called MPI_Finalize. Calls that free the object do not count
    id, -- id of the object, as in collective_calls
    number -- number of the first call that some members did not make
) AS
-- A live object without a row in `collective` has no calls. The row of a freed one may be gone.
SELECT CAST(o.uid AS INT), min(coalesce(k.begun, 0) - (o.freed_ns IS NOT NULL)) + 1
FROM object o JOIN communicator c ON c.rank = o.rank AND c.object = o.object
     LEFT JOIN collective k ON k.rank = o.rank AND k.object = o.object
     JOIN process p ON p.rank = o.rank LEFT JOIN complete_processes e ON e.rank = o.rank
WHERE o.uid IN (SELECT id FROM uneven_objects) GROUP BY 1
HAVING count(*) = max(c.size + coalesce(c.remote_size, 0)) AND count(*) = count(DISTINCT o.rank)
       AND count(k.failed) = 0 AND max(o.adopted) = 0
       AND min(k.begun IS NOT NULL OR o.freed_ns IS NULL)
       AND count(*) = count(e.rank) AND sum(p.lost) = 0
       AND min(coalesce(k.begun, 0) - (o.freed_ns IS NOT NULL)) <
           max(coalesce(k.begun, 0) - (o.freed_ns IS NOT NULL));

-- kept: overview
CREATE VIEW mismatches ( -- arguments that must agree on all members of a communicator, window or file, but do not: a
        -- row for each group of ranks with equal values. The first call with such a difference, by object and kind
    id, -- id of the object, as in collective_calls
    kind, -- what differs: function, root, operation, count, type, group; in calls that were not kept: call, data;
        -- missing: some members made fewer calls, and all called MPI_Finalize
    number, -- number of the call among the collective calls on the object
    last_number, -- call, data: the difference lies between both numbers; NULL: exact
    calls, -- number of known calls with such a difference on this object
    object_kind, -- communicator, window, file
    object_name, -- its name in reports, on its lowest rank
    ranks, -- the ranks of the group, as ranges
    rank, -- the lowest of them
    side, -- sends: the value is that of the data that the ranks send; NULL: there is only one value, or that of the
        -- data that they receive
    function, -- function that the lowest rank calls; NULL: the calls were not kept; missing: it did not make it
    root, -- root that it names
    operation, -- operation that it names
    size_bytes, -- size of its data
    datatype, -- name of its datatype
    members, -- number of members of the group that it passes
    site -- its call site
) AS
WITH listed (id, kind, number, last_number, calls) AS MATERIALIZED (
         SELECT *
         FROM (SELECT id, kind, min(number), NULL, count(*) FROM mismatched_calls GROUP BY 1, 2
               UNION ALL SELECT id, kind, first, last, NULL FROM mismatched_ranges
               UNION ALL SELECT id, 'missing', number, NULL, NULL FROM missing_calls)
         WHERE id NOT IN (SELECT id FROM bypassed_objects)),
     -- a range is of interest if no call in it is known; a missing call makes all later ones differ
     -- (no window: SQLite would expect one row, and not search `source` by an index)
     known (id, kind, number, last_number, calls) AS (
         SELECT l.id, l.kind, l.number, l.last_number, l.calls
         FROM listed l
              JOIN (SELECT id, min(CASE WHEN kind IN ('function', 'root', 'operation') THEN number END) AS calls_from,
                           min(CASE WHEN kind IN ('count', 'type') THEN number END) AS data_from,
                           max(kind IN ('function', 'call')) AS parted
                    FROM listed GROUP BY 1) s ON s.id = l.id
         WHERE CASE l.kind WHEN 'call' THEN coalesce(s.calls_from > l.last_number, 1)
                           WHEN 'data' THEN coalesce(s.data_from > l.last_number, 1)
                           WHEN 'missing' THEN NOT s.parted ELSE 1 END),
     -- the calls; the hashes at the end of a range; the members that did not make a missing call
     source (origin, id, number, rank, object, function, root, op, compared, signature, own, size_bytes, own_bytes,
             type, site) AS (
         SELECT 'call', * FROM collective_calls
         UNION ALL
         SELECT 'point', CAST(o.uid AS INT), p.number, p.rank, p.object, NULL, NULL, NULL, NULL, p.hash, p.data_hash,
                NULL, NULL, NULL, NULL
         FROM object o JOIN (SELECT rank, object, number, hash, data_hash FROM collective_point
                             UNION ALL SELECT rank, object, begun, hash, data_hash FROM collective
                                       WHERE begun & (begun - 1)) p ON p.rank = o.rank AND p.object = o.object
         WHERE o.uid IS NOT NULL
         UNION ALL
         SELECT 'none', CAST(o.uid AS INT), coalesce(k.begun, 0) + 1 - (o.freed_ns IS NOT NULL), o.rank, o.object, NULL,
                NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
         FROM object o LEFT JOIN collective k ON k.rank = o.rank AND k.object = o.object
         WHERE o.uid IS NOT NULL AND o.kind = 'communicator'),
     -- one row for each rank and side
     value (id, kind, number, last_number, calls, rank, object, side, function, root, op, bytes, types, type, site) AS (
         SELECT w.id, w.kind, w.number, w.last_number, w.calls, k.rank, k.object, s.side, k.function, k.root, k.op,
                CASE WHEN k.compared = 'pairs' AND w.kind IN ('count', 'type') -- all that is sent, all that is received
                     THEN CAST(CASE WHEN s.side IS NULL THEN total(k.size_bytes) OVER same
                                    ELSE total(k.own_bytes) OVER same END AS INT)
                     WHEN s.side IS NULL THEN k.size_bytes ELSE k.own_bytes END,
                CASE WHEN w.kind = 'data' OR s.side = 'sends' THEN k.own
                     WHEN w.kind IN ('call', 'group') OR k.compared = 'all' THEN k.signature END,
                CASE WHEN s.side IS NULL THEN k.type END, k.site
         FROM known w JOIN source k ON k.id = w.id AND k.number = coalesce(w.last_number, w.number)
                                       AND k.origin = CASE WHEN w.kind IN ('call', 'data') THEN 'point'
                                                           WHEN w.kind = 'missing' AND k.origin = 'none' THEN 'none'
                                                           ELSE 'call' END
              JOIN (SELECT NULL AS side UNION ALL SELECT 'sends') s
                   ON s.side IS NULL
                      OR w.kind IN ('count', 'type')
                         AND (k.compared = 'pairs'
                              OR k.own IS NOT NULL AND (k.own_bytes IS NOT k.size_bytes
                                                        OR w.kind = 'type' AND k.own <> k.signature))
         WHERE w.kind <> 'operation' OR k.root IS NOT -2 -- MPI_PROC_NULL passes none
         WINDOW same AS (PARTITION BY w.id, w.kind, w.number, s.side)),
     labelled AS (
         SELECT v.id, v.kind, v.number, v.last_number, v.calls, v.rank, v.side, f.name AS function, v.root, v.op,
                v.bytes, t.label AS type, v.site,
                -- equal in a group; data that is compared as a sum over pairs of ranks has no value of one rank
                CASE v.kind WHEN 'function' THEN f.name || coalesce(' ' || v.root, '') WHEN 'missing' THEN f.name
                            WHEN 'root' THEN v.root
                            WHEN 'operation' THEN v.op WHEN 'count' THEN v.bytes
                            ELSE coalesce(v.types, t.label) END AS differs,
                first_value(l.label) OVER same AS object_name, o.kind AS object_kind
         FROM value v JOIN object o ON o.rank = v.rank AND o.object = v.object
              JOIN labels l ON l.rank = v.rank AND l.object = v.object
              LEFT JOIN function f ON f.function = v.function
              LEFT JOIN labels t ON t.rank = v.rank AND t.object = v.type
         WINDOW same AS (PARTITION BY v.id ORDER BY v.rank)),
     grouped AS (
         SELECT *, row_number() OVER (PARTITION BY id, kind, number, side, differs ORDER BY rank) - rank AS island
         FROM labelled),
     island AS (
         SELECT *, min(rank) AS first, min(rank) + count(*) - 1 AS final FROM grouped -- columns of the lowest rank
         GROUP BY id, kind, number, side, differs, island ORDER BY min(rank))
SELECT id, kind, number, last_number, calls, object_kind, object_name,
       group_concat(first || CASE final - first WHEN 0 THEN '' WHEN 1 THEN ',' || final ELSE '-' || final END, ','),
       min(first), side, function, root, op, CASE WHEN kind <> 'group' THEN bytes END, type,
       CASE kind WHEN 'group' THEN bytes END, site
FROM island GROUP BY id, kind, number, side, differs
ORDER BY 7, 1, 3, 9;

CREATE VIEW check_findings ( -- calls whose arguments differ between members: a part of findings
    communicator, -- communicator, window or file: its name in reports
    communicator_uid, -- its id
    subject, -- what differs: kind in mismatches
    call_number, -- number of the first such call
    last_call_number, -- end of the range; NULL: exact
    calls, -- number of known calls with such a difference
    ranks, -- ranks that have kept the call, group by group
    rank, -- the lowest rank that has made the call
    function, -- function, on the lowest rank
    site -- call site, on the lowest rank
) AS
-- the row with this minimum supplies the other columns
SELECT object_name, id, kind, number, last_number, calls, group_concat(DISTINCT ranks), min(rank), function, site
FROM mismatches WHERE side IS NULL GROUP BY id, kind, number;

CREATE VIEW mismatched_tags ( -- tags whose messages differ between their senders and receivers, on whole_communicators
    -- Tags that a thread has counted in a range (tags) are left out.
    id, -- id of the communicator, as in run_communicators
    kind, -- not_received: fewer messages were received than sent; not_sent: more; type: as many, but with other basic
        -- types
    tag, -- tag
    messages -- type: number of messages; else the difference
) AS
-- Few tags are unequal: only then SQLite looks which communicators are whole. summed_tags tells call sites apart, too,
-- which would take longer.
WITH unequal (id, tag, sent, received) AS MATERIALIZED (
         SELECT k.id, t.tag, total(CASE t.direction WHEN 'send' THEN t.messages END) AS sent,
                total(CASE t.direction WHEN 'receive' THEN t.messages END) AS received
         FROM tag t JOIN object_keys k ON k.rank = t.rank AND k.object = t.communicator
         WHERE t.tag = t.last_tag GROUP BY 1, 2
         HAVING sent <> received
                OR sum(CASE t.direction WHEN 'send' THEN t.types ELSE -t.types END) % (1 << 40) <> 0
                   AND NOT max(t.untyped)),
     range (id, first, last) AS MATERIALIZED (
         SELECT DISTINCT k.id, t.tag, t.last_tag
         FROM tag t JOIN object_keys k ON k.rank = t.rank AND k.object = t.communicator WHERE t.tag < t.last_tag)
SELECT id, CASE WHEN sent > received THEN 'not_received' WHEN sent < received THEN 'not_sent' ELSE 'type' END, tag,
       CAST(CASE sent WHEN received THEN sent ELSE abs(sent - received) END AS INT)
FROM unequal u
WHERE id IN (SELECT id FROM whole_communicators)
      AND NOT EXISTS (SELECT 1 FROM range r WHERE r.id = u.id AND u.tag BETWEEN r.first AND r.last)
      -- a message that was cut has fewer types
      AND (sent <> received OR NOT EXISTS (SELECT 1 FROM traffic_differences d WHERE d.communicator_uid = u.id));

CREATE VIEW overlong_messages ( -- messages that are longer than the receive that waits for them, of ranks that did not
        -- finish. Only if it is the one message that its sender sent and the rank has not received
    id, -- id of the communicator
    tag, -- tag
    communicator, -- its name in reports, on the rank that receives
    source, -- rank that sends it
    dest, -- rank that receives it
    sent_bytes, -- size of the message
    room_bytes, -- size of the receive buffer
    sent_site, -- call site that sent it; NULL: unknown
    received_site -- call site of the receive, or of the wait
) AS
-- Other pending receives, threads and tags may take the message.
WITH waiting (rank, object, peer, tag, bytes, site) AS MATERIALIZED (
         SELECT t.rank, t.object, t.peer, t.tag, t.bytes, t.site
         FROM thread t JOIN process p ON p.rank = t.rank JOIN function f ON f.function = t.function
         WHERE t.state = 'inside' AND p.outcome <> 'finalized' AND p.threads = 1 AND t.peer >= 0
               AND t.bytes IS NOT NULL
               AND coalesce(t.transfer, CASE f.class WHEN 'point-to-point' THEN f.transfer END) = 'receive'
               AND (SELECT count(*) FROM active_request a WHERE a.rank = t.rank AND a.transfer IS NOT 'send')
                   = (t.transfer IS NOT NULL)),
     known AS MATERIALIZED (
         SELECT w.*, k.id, s.rank AS source, s.object AS source_object, o.own_rank
         FROM waiting w JOIN object_keys k ON k.rank = w.rank AND k.object = w.object
              JOIN communicator o ON o.rank = w.rank AND o.object = w.object AND o.remote_size IS NULL
              JOIN object_keys s ON s.id = k.id
              JOIN communicator c ON c.rank = s.rank AND c.object = s.object AND c.own_rank = w.peer
         WHERE EXISTS (SELECT 1 FROM waiting)), -- else SQLite reads all objects, and finds nothing
     pair AS MATERIALIZED (
         SELECT k.*, sum(x.sign * x.messages) AS messages, sum(x.sign * x.bytes) AS sent_bytes
         FROM known k JOIN (SELECT *, CASE direction WHEN 'send' THEN 1 ELSE -1 END AS sign FROM traffic
                            WHERE direction IN ('send', 'receive')) x
              ON x.rank = k.source AND x.object = k.source_object AND x.direction = 'send' AND x.peer = k.own_rank
                 OR x.rank = k.rank AND x.object = k.object AND x.direction = 'receive' AND x.peer = k.peer
         GROUP BY k.rank)
SELECT p.id, p.tag, l.label, p.source, p.rank, p.sent_bytes, p.bytes,
       (SELECT nullif(min(t.site), 0) FROM tag t
        WHERE t.rank = p.source AND t.communicator = p.source_object AND t.direction = 'send'
        HAVING min(t.site) = max(t.site)), nullif(p.site, 0)
FROM pair p JOIN labels l ON l.rank = p.rank AND l.object = p.object
WHERE p.messages = 1 AND p.sent_bytes > p.bytes
      AND NOT EXISTS (SELECT 1 FROM tag t WHERE t.rank = p.source AND t.communicator = p.source_object
                                                AND t.direction = 'send'
                                                AND p.tag NOT IN (-1, t.tag + (t.last_tag - t.tag) * 0.5))
      AND NOT EXISTS (SELECT 1 FROM traffic x WHERE x.rank IN (p.source, p.rank) AND x.direction LIKE '% unknown')
      AND NOT EXISTS (SELECT 1 FROM doubtful_processes d WHERE d.rank IN (p.source, p.rank));

-- kept: overview
CREATE VIEW mismatched_messages ( -- messages that differ between sender and receiver: a row for each group of ranks
        -- or pair of ranks
    id, -- id of the communicator, as in run_communicators
    kind, -- not_received, not_sent, type: as in mismatched_tags; truncated: longer than the receive buffer
    tag, -- tag; NULL: several, or unknown
    messages, -- number of messages that the finding is about; NULL: see sent and received
    communicator, -- its name in reports, on its lowest rank
    side, -- sends, receives; pair: the rank sends to the other one; nowhere: the rank, which lacks a message,
        -- receives on the communicator only from MPI_PROC_NULL, at one call site
    ranks, -- the ranks of the group, as ranges
    rank, -- the lowest of them
    other_rank, -- pair: rank that receives; truncated, without pair: rank that sends or receives it
    counted, -- number of messages by the count of these ranks
    received, -- pair: by the count of the receiver
    sent_bytes, -- pair: data by the sender's count; truncated, sends: size of the message
    received_bytes, -- pair: data that arrived; truncated, receives: size of the receive buffer
    datatype, -- name of the datatype; NULL: several, or unknown
    site -- call site that sent, received or posted the receive; NULL: unknown
) AS
WITH found AS MATERIALIZED (SELECT * FROM mismatched_tags),
     differs AS MATERIALIZED (
         SELECT * FROM traffic_differences WHERE reason IN ('truncated', 'not received', 'not sent')),
     -- no object is looked at unless something is found
     about (id) AS MATERIALIZED (SELECT id FROM found UNION SELECT CAST(communicator_uid AS INT) FROM differs),
     found_on (id, rank, object) AS MATERIALIZED (
         SELECT k.id, k.rank, k.object FROM (SELECT 1 FROM about LIMIT 1) CROSS JOIN object_keys k
         WHERE k.id IN (SELECT id FROM about)),
     received_at (id, rank, site) AS MATERIALIZED ( -- if there is one call site
         SELECT k.id, k.rank, CASE WHEN min(t.site) = max(t.site) THEN nullif(min(t.site), 0) END
         FROM found_on k CROSS JOIN tag t ON t.rank = k.rank AND t.communicator = k.object AND t.direction = 'receive'
         WHERE k.id IN (SELECT communicator_uid FROM differs) GROUP BY 1, 2),
     part AS (
         SELECT f.id, f.kind, f.tag, f.messages, CASE t.direction WHEN 'send' THEN 'sends' ELSE 'receives' END AS side,
                t.rank, t.communicator AS object, t.messages AS counted, l.label AS datatype, t.site
         FROM found_on k CROSS JOIN found f ON f.id = k.id
              CROSS JOIN tag t ON t.rank = k.rank AND t.communicator = k.object AND t.direction IN ('send', 'receive')
                                  AND t.tag = f.tag AND t.last_tag = f.tag
              LEFT JOIN labels l ON l.rank = t.rank AND l.object = t.datatype
         WHERE t.messages > 0),
     grouped AS (
         SELECT p.*, first_value(l.label) OVER (PARTITION BY p.id ORDER BY p.rank) AS communicator,
                p.rank - row_number() OVER (PARTITION BY p.id, p.kind, p.tag, p.side, p.datatype, p.site
                                            ORDER BY p.rank) AS island
         FROM part p JOIN labels l ON l.rank = p.rank AND l.object = p.object),
     island AS (
         SELECT *, min(rank) AS first, max(rank) AS last, sum(counted) AS all_counted FROM grouped
         GROUP BY id, kind, tag, side, datatype, site, island ORDER BY min(rank))
SELECT id, kind, tag, messages, min(communicator), side,
       group_concat(first || CASE last - first WHEN 0 THEN '' WHEN 1 THEN ',' || last ELSE '-' || last END, ','),
       min(first), NULL, sum(all_counted), NULL, NULL, NULL, datatype, nullif(site, 0)
FROM island GROUP BY id, kind, tag, side, datatype, site
UNION ALL
SELECT f.id, f.kind, f.tag, f.messages, d.communicator, 'nowhere', CAST(k.rank AS TEXT), k.rank, NULL,
       (SELECT total(x.messages) FROM traffic x
        WHERE x.rank = k.rank AND x.object = k.object AND x.direction = 'receive'), NULL, NULL, NULL, NULL,
       nullif(p.site, 0)
FROM found f CROSS JOIN (SELECT DISTINCT communicator_uid, communicator, dest FROM differs
                         WHERE reason = 'not received') d ON d.communicator_uid = f.id
     CROSS JOIN found_on k ON k.id = f.id AND k.rank = d.dest
     CROSS JOIN profile p ON p.rank = k.rank AND p.communicator = k.object
     CROSS JOIN function n ON n.function = p.function AND n.class = 'point-to-point' AND n.transfer = 'receive'
WHERE f.kind = 'not_received' AND p.calls > 0
GROUP BY f.id, f.tag, k.rank
HAVING min(p.site) = max(p.site)
       AND (SELECT max(x.peer) FROM traffic x -- MPI_PROC_NULL
            WHERE x.rank = k.rank AND x.object = k.object AND x.direction = 'receive') = -2
UNION ALL
SELECT d.communicator_uid, replace(d.reason, ' ', '_'), NULL, NULL, d.communicator, 'pair', CAST(d.source AS TEXT),
       d.source, d.dest, d.sent_messages, d.received_messages, d.sent_bytes, d.received_bytes, NULL, r.site
FROM differs d LEFT JOIN received_at r ON r.id = d.communicator_uid AND r.rank = d.dest
WHERE (d.communicator_uid, replace(d.reason, ' ', '_')) NOT IN (SELECT id, kind FROM found)
UNION ALL
SELECT o.id, 'truncated', o.tag, CASE count(*) OVER (PARTITION BY o.id, o.tag, s.side) WHEN 1 THEN 1 END,
       o.communicator, s.side, CAST(CASE s.side WHEN 'sends' THEN o.source ELSE o.dest END AS TEXT),
       CASE s.side WHEN 'sends' THEN o.source ELSE o.dest END, CASE s.side WHEN 'sends' THEN o.dest ELSE o.source END,
       1, NULL, CASE s.side WHEN 'sends' THEN o.sent_bytes END, CASE s.side WHEN 'receives' THEN o.room_bytes END, NULL,
       CASE s.side WHEN 'sends' THEN o.sent_site ELSE o.received_site END
FROM overlong_messages o JOIN (SELECT 'sends' AS side UNION ALL SELECT 'receives') s
ORDER BY 5, 1, 2, 3, 8;

CREATE VIEW message_findings ( -- tags whose messages have other basic types for the receiver than for the sender: a
        -- part of findings
    communicator, -- its name in reports
    communicator_uid, -- its id
    tag, -- tag
    messages, -- number of messages with it
    ranks, -- ranks that send or receive them, group by group
    rank, -- the lowest rank that sends them
    site -- call site, on the lowest rank
) AS
SELECT communicator, id, tag, messages, group_concat(DISTINCT ranks), min(CASE side WHEN 'sends' THEN rank END), site
FROM mismatched_messages WHERE kind = 'type' GROUP BY id, tag;

CREATE VIEW failed_calls ( -- calls that returned an error: a row for each function, error, communicator and call site
    communicator, -- communicator, window or file: its name in reports, on its lowest rank; NULL: none or unknown
    communicator_uid, -- its id, as in run_communicators; NULL: none or unknown
    function, -- function that was called
    error, -- error of the MPI, as in failed_call
    misuse, -- 1: an error that the arguments or the order of calls cause; 0: others, like a file that is not there
    ranks, -- the ranks, as ranges
    rank, -- the lowest of them
    peer, -- peer of its call; NULL: none
    tag, -- tag of its call; NULL: none
    site -- call site; NULL: unknown
) AS
WITH each AS (
         SELECT DISTINCT k.id, l.label, f.name AS function, c.error, c.rank, c.peer, c.tag, c.site
         FROM failed_call c LEFT JOIN function f ON f.function = c.function
              LEFT JOIN object_keys k ON k.rank = c.rank AND k.object = c.object
              LEFT JOIN labels l ON l.rank = c.rank AND l.object = c.object),
     grouped AS (
         SELECT *, rank - dense_rank() OVER (PARTITION BY id, function, error, site ORDER BY rank) AS island
         FROM each),
     island AS (
         SELECT *, min(rank) AS first, max(rank) AS last FROM grouped
         GROUP BY id, function, error, site, island ORDER BY min(rank))
SELECT label, id, function, error,
       error IN ('MPI_ERR_BUFFER', 'MPI_ERR_COUNT', 'MPI_ERR_TYPE', 'MPI_ERR_TAG', 'MPI_ERR_COMM', 'MPI_ERR_RANK',
                 'MPI_ERR_REQUEST', 'MPI_ERR_ROOT', 'MPI_ERR_GROUP', 'MPI_ERR_OP', 'MPI_ERR_TOPOLOGY', 'MPI_ERR_DIMS',
                 'MPI_ERR_ARG', 'MPI_ERR_TRUNCATE', 'MPI_ERR_IN_STATUS', 'MPI_ERR_WIN', 'MPI_ERR_BASE', 'MPI_ERR_SIZE',
                 'MPI_ERR_DISP', 'MPI_ERR_LOCKTYPE', 'MPI_ERR_ASSERT', 'MPI_ERR_RMA_CONFLICT', 'MPI_ERR_RMA_SYNC',
                 'MPI_ERR_RMA_RANGE', 'MPI_ERR_RMA_ATTACH', 'MPI_ERR_RMA_SHARED', 'MPI_ERR_RMA_FLAVOR'),
       group_concat(first || CASE last - first WHEN 0 THEN '' WHEN 1 THEN ',' || last ELSE '-' || last END, ','),
       min(first), peer, tag, site
FROM island GROUP BY id, function, error, site
ORDER BY 1, 3, 4, 7, site;

CREATE VIEW ended_by_error ( -- one row: the error class that the exit code of the launcher shows, after the MPI ended
        -- processes in a call; no row: it shows none, or processes ended in another way, too
    error, -- error class of the MPI
    error_signal -- MPICH's launcher has the same exit code if this signal ended a process; NULL: none that ends
        -- programs often
) AS
-- Open MPI and MPICH end a process with the number of the class. 1 has many causes.
WITH class (error, openmpi, mpich) AS (VALUES
         ('MPI_ERR_COUNT', 2, 2), ('MPI_ERR_TYPE', 3, 3), ('MPI_ERR_TAG', 4, 4), ('MPI_ERR_COMM', 5, 5),
         ('MPI_ERR_RANK', 6, 6), ('MPI_ERR_REQUEST', 7, 19), ('MPI_ERR_ROOT', 8, 7), ('MPI_ERR_GROUP', 9, 8),
         ('MPI_ERR_OP', 10, 9), ('MPI_ERR_TOPOLOGY', 11, 10), ('MPI_ERR_DIMS', 12, 11), ('MPI_ERR_ARG', 13, 12),
         ('MPI_ERR_TRUNCATE', 15, 14), ('MPI_ERR_OTHER', 16, 15), ('MPI_ERR_INTERN', 17, 16),
         ('MPI_ERR_IN_STATUS', 18, 17), ('MPI_ERR_PENDING', 19, 18), ('MPI_ERR_AMODE', 21, 21),
         ('MPI_ERR_ASSERT', 22, 53), ('MPI_ERR_BASE', 24, 46), ('MPI_ERR_DISP', 26, 52), ('MPI_ERR_FILE', 30, 27),
         ('MPI_ERR_INFO_KEY', 31, 29), ('MPI_ERR_INFO_VALUE', 33, 30), ('MPI_ERR_INFO', 34, 28),
         ('MPI_ERR_IO', 35, 32), ('MPI_ERR_KEYVAL', 36, 48), ('MPI_ERR_LOCKTYPE', 37, 47), ('MPI_ERR_NO_MEM', 39, 34),
         ('MPI_ERR_RMA_CONFLICT', 46, 49), ('MPI_ERR_RMA_SYNC', 47, 50), ('MPI_ERR_SIZE', 49, 51),
         ('MPI_ERR_WIN', 53, 45), ('MPI_ERR_RMA_RANGE', 68, 55), ('MPI_ERR_RMA_ATTACH', 69, 56)),
     signal (number, name) AS (VALUES
         (4, 'SIGILL'), (6, 'SIGABRT'), (7, 'SIGBUS'), (8, 'SIGFPE'), (9, 'SIGKILL'), (11, 'SIGSEGV'), (15, 'SIGTERM')),
     mpi (mpich) AS (
         SELECT value LIKE '%MPICH%' FROM meta
         WHERE key = 'mpi' AND (value LIKE '%MPICH%' OR value LIKE '%Open MPI%') ORDER BY rank LIMIT 1),
     ended (inside) AS (SELECT min(inside AND outcome = 'died') FROM endings HAVING count(*) > 0)
SELECT c.error, s.name
FROM job j, mpi m JOIN class c ON j.exit_code = CASE m.mpich WHEN 1 THEN c.mpich ELSE c.openmpi END
     LEFT JOIN signal s ON m.mpich AND s.number = j.exit_code
WHERE j.of_ranks AND j.received IS NULL AND (SELECT inside FROM ended);

-- kept: overview
CREATE VIEW unmatched_neighbors ( -- neighbors of a distributed graph that do not agree: one names the other, but not
        -- the other way round. Only graphs of which all members have passed all their neighbors, by
        -- MPI_Dist_graph_create_adjacent
    id, -- id of the communicator, as in run_communicators
    rank, -- rank that names the other
    object, -- the communicator: its number within this rank
    neighbor, -- the other one: its rank in the communicator of the call
    function, -- function that made the communicator
    site, -- call site
    other_site -- call site of the other one
) AS
WITH node AS MATERIALIZED (
         SELECT k.id, o.rank, o.object, p.own_rank AS own, o.function, nullif(o.site, 0) AS site, o.detail, c.size
         FROM communicator c CROSS JOIN object o ON o.rank = c.rank AND o.object = c.object
              JOIN object_keys k ON k.rank = o.rank AND k.object = o.object
              JOIN communicator p ON p.rank = o.rank AND p.object = o.parent
         WHERE c.topology = 'dist_graph'),
     -- a long list was cut, and ends with a text; MPI_Dist_graph_create has no degrees of one process
     known (id) AS MATERIALIZED (
         SELECT id FROM node GROUP BY id
         HAVING count(*) = max(size) AND count(DISTINCT own) = max(size)
                AND min((SELECT count(*) = 2 AND sum(value) = (SELECT count(*) FROM json_each(detail, '$.sources')
                                                               WHERE type = 'integer')
                                                + (SELECT count(*) FROM json_each(detail, '$.destinations')
                                                   WHERE type = 'integer')
                         FROM json_each(detail) WHERE key IN ('indegree', 'outdegree')))),
     edge (id, source, dest, sent) AS (
         SELECT n.id, n.own, e.value, 1 FROM known w JOIN node n ON n.id = w.id
              JOIN json_each(n.detail, '$.destinations') e
         UNION ALL
         SELECT n.id, e.value, n.own, -1 FROM known w JOIN node n ON n.id = w.id
              JOIN json_each(n.detail, '$.sources') e),
     uneven (id, own, neighbor) AS (
         SELECT id, CASE WHEN sum(sent) > 0 THEN source ELSE dest END, CASE WHEN sum(sent) > 0 THEN dest ELSE source END
         FROM edge WHERE source >= 0 AND dest >= 0 GROUP BY id, source, dest HAVING sum(sent) <> 0)
SELECT u.id, n.rank, n.object, u.neighbor, f.name, n.site, m.site
FROM uneven u JOIN node n ON n.id = u.id AND n.own = u.own JOIN function f ON f.function = n.function
     JOIN node m ON m.id = u.id AND m.own = u.neighbor; -- others are invalid ranks

CREATE VIEW misuses ( -- calls that callsign itself found to be wrong, operations that the program never completed and
        -- files that it never closed although it called MPI_Finalize: a row for each kind, function, communicator and
        -- call site
    communicator, -- communicator, window or file: its name in reports, on its lowest rank; NULL: none or unknown
    communicator_uid, -- its id, as in run_communicators; NULL: none or unknown
    kind, -- what is wrong, as in misuse; never_completed: the request of a nonblocking operation was never completed;
        -- never_closed: a file; beyond_window: an access ends beyond the window of its target; beyond_variable: a
        -- buffer ends beyond its variable; racing_access, unordered_access: as in window_conflicts;
        -- unmatched_neighbor: as in unmatched_neighbors
    function, -- function that was called
    value, -- as in misuse, on the lowest rank; never_completed, never_closed: number on all ranks; beyond_window,
        -- beyond_variable: bytes
    ranks, -- the ranks, as ranges
    rank, -- the lowest of them
    site, -- call site; NULL: unknown
    other_site, -- call site of the other call of a conflict, on the lowest rank; NULL: none
    made_site, -- freed_handle: call site that made the object, on the lowest rank; NULL: unknown
    variable -- beyond_variable: name of the variable, on the lowest rank
) AS
-- Completions that were not recorded, or that only a query told, may be missing.
WITH unsure (rank) AS MATERIALIZED (
         SELECT rank FROM doubtful_processes WHERE reason = 'not recorded'
         UNION SELECT t.rank FROM rank_times t JOIN function f ON f.function = t.function
               WHERE f.request_act = 'show'),
     part AS MATERIALIZED (SELECT * FROM window_parts),
     reach AS (
         SELECT r.*, k.id,
                CASE WHEN r.displacement < 0 THEN -r.displacement * t.unit_bytes
                     ELSE r.displacement * t.unit_bytes + r.span_bytes - t.size_bytes END AS beyond
         FROM window_reach r JOIN object_keys k ON k.rank = r.rank AND k.object = r.object
              JOIN part t ON t.id = k.id AND t.own_rank = r.target),
     each AS (
         SELECT k.id, l.label, m.kind, f.name AS function, min(m.value) AS value, 0 AS operations, m.rank,
                nullif(m.site, 0) AS site, nullif(min(m.other_site), 0) AS other_site,
                nullif(min(m.made_site), 0) AS made_site, NULL AS variable
         FROM misuse m LEFT JOIN function f ON f.function = m.function
              LEFT JOIN object_keys k ON k.rank = m.rank AND k.object = m.object
              LEFT JOIN labels l ON l.rank = m.rank AND l.object = m.object
         -- These follow from earlier calls: of a process that made some past callsign, nothing is claimed.
         WHERE m.rank NOT IN (SELECT rank FROM bypassing_processes)
               OR m.kind NOT IN ('active_request', 'attached_too_small', 'attached_twice', 'concurrent_completion',
                                 'conflicting_access', 'epoch_in_epoch', 'false_assertion', 'freed_handle',
                                 'inactive_request', 'inactive_wait', 'locked_twice', 'never_started',
                                 'no_attached_buffer', 'no_epoch', 'not_locked', 'not_opened', 'open_epoch',
                                 'overwritten_buffer', 'readied_twice', 'request_freed', 'same_request',
                                 'stolen_message', 'uncommitted_datatype', 'unfinished_buffer')
         GROUP BY k.id, l.label, m.kind, f.name, m.rank, m.site
         UNION ALL
         SELECT k.id, l.label, 'never_completed', f.name, NULL, count(*), o.rank, nullif(o.site, 0), NULL, NULL,
                NULL
         FROM object o JOIN process p ON p.rank = o.rank AND p.outcome = 'finalized'
              JOIN function f ON f.function = o.function AND f.mode = 'nonblocking'
              LEFT JOIN object_keys k ON k.rank = o.rank AND k.object = o.parent
              LEFT JOIN labels l ON l.rank = o.rank AND l.object = o.parent
         WHERE o.kind = 'request' AND o.freed_ns IS NULL AND NOT o.internal AND o.rank NOT IN (SELECT rank FROM unsure)
         GROUP BY k.id, l.label, f.name, o.rank, o.site
         UNION ALL
         SELECT k.id, l.label, 'never_closed', f.name, NULL, count(*), o.rank, nullif(o.site, 0), NULL, NULL,
                NULL
         FROM program_objects o JOIN process p ON p.rank = o.rank AND p.outcome = 'finalized'
              JOIN object_keys k ON k.rank = o.rank AND k.object = o.object
              LEFT JOIN labels l ON l.rank = o.rank AND l.object = o.object
              LEFT JOIN function f ON f.function = o.function
         WHERE o.kind = 'file' AND o.freed_ns IS NULL AND o.rank NOT IN (SELECT rank FROM unsure)
         GROUP BY k.id, l.label, f.name, o.rank, o.site
         UNION ALL
         SELECT r.id, l.label, 'beyond_window', f.name, max(r.beyond), 0, r.rank, nullif(r.site, 0), NULL, NULL,
                NULL
         FROM reach r LEFT JOIN function f ON f.function = r.function
              LEFT JOIN labels l ON l.rank = r.rank AND l.object = r.object
         WHERE r.beyond > 0 GROUP BY r.id, l.label, f.name, r.rank, r.site
         UNION ALL
         SELECT c.id, l.label, c.kind, c.function, max(c.bytes), 0, c.rank, c.site, min(c.other_site), NULL,
                NULL
         FROM window_conflicts c LEFT JOIN labels l ON l.rank = c.rank AND l.object = c.object
         -- The process has noted this before, perhaps with its callers.
         WHERE NOT EXISTS (SELECT 1 FROM misuse m JOIN site a ON a.site = m.site
                                JOIN site b ON b.site = c.site AND b.frame = a.frame
                           WHERE m.rank = c.rank AND m.object = c.object AND m.kind = c.kind)
         GROUP BY c.id, l.label, c.kind, c.function, c.rank, c.site
         UNION ALL
         SELECT u.id, l.label, 'unmatched_neighbor', u.function, min(u.neighbor), 0, u.rank, u.site, min(u.other_site),
                NULL, NULL
         FROM unmatched_neighbors u LEFT JOIN labels l ON l.rank = u.rank AND l.object = u.object
         GROUP BY u.id, l.label, u.function, u.rank, u.site
         UNION ALL
         SELECT k.id, l.label, 'beyond_variable', f.name, max(v.beyond_bytes), 0, v.rank, nullif(v.site, 0), NULL, NULL,
                v.variable
         FROM variable v LEFT JOIN function f ON f.function = v.function
              LEFT JOIN object_keys k ON k.rank = v.rank AND k.object = v.object
              LEFT JOIN labels l ON l.rank = v.rank AND l.object = v.object
         WHERE v.beyond_bytes > 0
               AND (v.rank, v.function, coalesce(v.site, 0)) -- not told already
                   NOT IN (SELECT rank, function, coalesce(site, 0) FROM misuse WHERE kind = 'beyond_frame')
         GROUP BY k.id, l.label, f.name, v.rank, v.site),
     grouped AS (
         SELECT *, rank - dense_rank() OVER same AS island, first_value(label) OVER same AS first_label,
                first_value(value) OVER same AS first_value, first_value(other_site) OVER same AS first_other,
                first_value(made_site) OVER same AS first_made,
                first_value(variable) OVER same AS first_variable
         FROM each WINDOW same AS (PARTITION BY id, kind, function, site ORDER BY rank)),
     island AS (
         SELECT *, min(rank) AS first, max(rank) AS last, sum(operations) AS all_operations FROM grouped
         GROUP BY id, kind, function, site, island ORDER BY min(rank))
SELECT first_label, id, kind, function,
       CASE WHEN kind IN ('never_completed', 'never_closed') THEN sum(all_operations) ELSE first_value END,
       group_concat(first || CASE last - first WHEN 0 THEN '' WHEN 1 THEN ',' || last ELSE '-' || last END, ','),
       min(first), site, first_other, first_made, first_variable
FROM island GROUP BY id, kind, function, site
ORDER BY 1, 3, 4, 7, site;
