-- Views: arguments that must agree on all members of a communicator, window or file, but do not.

CREATE VIEW collective_calls ( -- collective calls that several members of a communicator, window or file have kept:
        -- their last ones. Calls after one that returned an error are left out: from then on members may count
        -- differently. Intercommunicators are left out, too
    id, -- id of the object, equal on all ranks that share it
    number, -- number of the call among those on the object, from 1
    rank, -- rank of the process
    object, -- communicator, window or file: its number within the rank
    function, -- number of the function, without its form for large counts
    root, -- root; NULL: none
    op, -- operation; NULL: none, or unknown
    compared, -- all, pairs, as in collective_call
    signature, -- as in collective_call
    own, -- as in collective_call
    size_bytes, -- as in collective_call
    own_bytes, -- as in collective_call
    type, -- datatype; NULL: none, several, or unknown
    site -- call site
) AS
WITH member (id, rank, object) AS MATERIALIZED (
         SELECT CAST(o.uid AS INT), o.rank, min(o.object)
         FROM object o LEFT JOIN communicator c ON c.rank = o.rank AND c.object = o.object
         WHERE o.uid IS NOT NULL AND o.kind IN ('communicator', 'window', 'file') AND c.remote_size IS NULL
         GROUP BY 1, 2 HAVING count(*) = 1)
SELECT m.id, k.number, k.rank, k.object, k.function, k.root, k.op, k.compared, k.signature, k.own, k.size_bytes,
       k.own_bytes, k.type, nullif(k.site, 0)
FROM collective_call k JOIN member m ON m.rank = k.rank AND m.object = k.object
     JOIN collective c ON c.rank = k.rank AND c.object = k.object
WHERE k.number <= coalesce(c.failed, k.number);

CREATE VIEW mismatched_calls ( -- collective calls whose arguments differ between members although the standard requires
        -- that they agree. Only the first difference of a call is listed; after a call of different functions, the
        -- later calls on the object are left out
    id, -- id of the object, as in collective_calls
    number, -- number of the call
    kind -- what differs: function, root, operation, count (the size of the data), type (its basic types)
) AS
WITH side (id, number, rank, function, root, op, compared, bytes, types) AS (
         SELECT id, number, rank, function, root, op, compared, CASE WHEN signature IS NOT NULL THEN size_bytes END,
                CASE WHEN signature NOT IN (1, 2) THEN signature END
         FROM collective_calls
         UNION ALL
         SELECT id, number, rank, NULL, NULL, NULL, compared, CASE WHEN own IS NOT NULL THEN own_bytes END,
                CASE WHEN own NOT IN (1, 2) THEN own END
         FROM collective_calls WHERE compared = 'all'),
     agreed (id, number, kind) AS MATERIALIZED (
         SELECT id, number,
                CASE WHEN min(function) < max(function) THEN 'function' WHEN min(root) < max(root) THEN 'root'
                     WHEN min(op) < max(op) THEN 'operation'
                     WHEN min(compared) = 'all' AND min(bytes) < max(bytes) THEN 'count'
                     WHEN min(compared) = 'all' AND min(types) < max(types) THEN 'type' END
         FROM side GROUP BY 1, 2),
     -- sums: only if all members have kept the call
     paired (id, number, kind) AS MATERIALIZED (
         SELECT k.id, k.number,
                CASE WHEN count(k.size_bytes) = count(*) AND count(k.own_bytes) = count(*)
                          AND sum(k.size_bytes) <> sum(k.own_bytes) THEN 'count'
                     WHEN count(k.signature) = count(*) AND count(k.own) = count(*)
                          AND (sum(k.own) - sum(k.signature)) % (1 << 40) <> 0 THEN 'type' END
         FROM collective_calls k JOIN communicator c ON c.rank = k.rank AND c.object = k.object
         WHERE k.compared = 'pairs' GROUP BY 1, 2 HAVING count(*) = max(c.size)),
     found (id, number, kind) AS MATERIALIZED (
         SELECT a.id, a.number, coalesce(a.kind, p.kind)
         FROM agreed a LEFT JOIN paired p ON p.id = a.id AND p.number = a.number
         WHERE coalesce(a.kind, p.kind) IS NOT NULL),
     parted (id, number) AS MATERIALIZED (SELECT id, min(number) FROM found WHERE kind = 'function' GROUP BY 1)
SELECT f.id, f.number, f.kind FROM found f LEFT JOIN parted p ON p.id = f.id
WHERE f.number <= coalesce(p.number, f.number);

CREATE VIEW mismatched_ranges ( -- ranges of collective calls in which members differ, found by the hashes of all calls:
        -- the calls themselves were not kept
    id, -- id of the object, as in collective_calls
    first, -- number of the first call that may be the one
    last, -- number of the last one
    kind -- call (function, operation or root differ), data (count or type)
) AS
WITH point (id, rank, number, hash, data_hash) AS MATERIALIZED (
         SELECT CAST(o.uid AS INT), o.rank, p.number, p.hash, CASE WHEN p.unknown > p.number THEN p.data_hash END
         FROM (SELECT rank, object, number, hash, data_hash, coalesce(data_unknown, 1 << 62) AS unknown
               FROM collective_point
               UNION ALL
               SELECT rank, object, begun, hash, data_hash, coalesce(data_unknown, 1 << 62)
               FROM collective WHERE begun > 8 AND begun & (begun - 1)) p
              JOIN object o ON o.rank = p.rank AND o.object = p.object
              JOIN collective c ON c.rank = p.rank AND c.object = p.object
              LEFT JOIN communicator m ON m.rank = p.rank AND m.object = p.object
         WHERE o.uid IS NOT NULL AND m.remote_size IS NULL AND p.number <= coalesce(c.failed, p.number)),
     -- several objects of one rank with the same id cannot be compared
     compared (id, number, members, calls_differ, data_differs) AS MATERIALIZED (
         SELECT id, number, count(*), min(hash) < max(hash), min(data_hash) < max(data_hash)
         FROM point GROUP BY 1, 2 HAVING count(*) = count(DISTINCT rank)),
     wrong (id, kind, last) AS MATERIALIZED (
         SELECT id, 'call', min(number) FROM compared WHERE calls_differ GROUP BY 1
         UNION ALL SELECT id, 'data', min(number) FROM compared WHERE data_differs AND NOT calls_differ GROUP BY 1)
SELECT w.id,
       1 + coalesce((SELECT max(c.number) FROM compared c JOIN compared l ON l.id = c.id AND l.number = w.last
                     WHERE c.id = w.id AND c.number < w.last AND c.members >= l.members), 0),
       w.last, w.kind
FROM wrong w
WHERE NOT EXISTS (SELECT 1 FROM mismatched_calls c WHERE c.id = w.id AND c.number <= w.last
                                                         AND (c.kind IN ('count', 'type')) = (w.kind = 'data'));

CREATE VIEW missing_calls ( -- communicators, windows and files on which some members made fewer collective calls than
        -- others, although all ended with MPI_Finalize. Calls that free the object do not count
    id, -- id of the object, as in collective_calls
    number -- number of the first call that some members did not make
) AS
SELECT CAST(o.uid AS INT), min(k.begun - (o.freed_ns IS NOT NULL)) + 1
FROM object o JOIN communicator c ON c.rank = o.rank AND c.object = o.object AND c.remote_size IS NULL
     JOIN collective k ON k.rank = o.rank AND k.object = o.object
     JOIN process p ON p.rank = o.rank
WHERE o.uid IS NOT NULL GROUP BY 1
HAVING count(*) = max(c.size) AND count(*) = count(DISTINCT o.rank) AND count(k.failed) = 0
       AND min(p.outcome) = 'finalized' AND max(p.outcome) = 'finalized' AND sum(p.lost) = 0
       AND min(k.begun - (o.freed_ns IS NOT NULL)) < max(k.begun - (o.freed_ns IS NOT NULL));

CREATE VIEW mismatches ( -- arguments that must agree on all members of a communicator, window or file, but do not: a
        -- row for each group of ranks with equal values. The first call with such a difference, by object and kind
    id, -- id of the object, as in collective_calls
    kind, -- what differs: function, root, operation, count, type; in calls that were not kept: call, data; missing:
        -- some members made fewer calls, and all ended with MPI_Finalize
    number, -- number of the call among the collective calls on the object
    last_number, -- call, data: the difference lies between both numbers; NULL: exact
    calls, -- number of known calls with such a difference on this object
    object_kind, -- communicator, window, file
    object_name, -- its name in reports, on its lowest rank
    size, -- number of members that have kept the call
    ranks, -- the ranks of the group, as ranges
    rank, -- the lowest of them
    side, -- sends: the value is that of the data that the ranks send; NULL: there is only one value, or that of the
        -- data that they receive
    function, -- function that the ranks call; NULL: the calls were not kept; missing: they did not make it
    root, -- root that they name
    operation, -- operation that they name
    size_bytes, -- size of their data
    datatype, -- name of their datatype
    site -- call site of the lowest rank
) AS
WITH known (id, kind, number, last_number, calls) AS MATERIALIZED (
         SELECT id, kind, min(number), NULL, count(*) FROM mismatched_calls GROUP BY 1, 2
         UNION ALL SELECT id, kind, first, last, NULL FROM mismatched_ranges
         -- without another difference: a missing call makes all later ones differ
         UNION ALL SELECT id, 'missing', number, NULL, NULL FROM missing_calls
                   WHERE id NOT IN (SELECT id FROM mismatched_calls WHERE kind = 'function')
                         AND id NOT IN (SELECT id FROM mismatched_ranges WHERE kind = 'call')),
     -- one row for each rank and side
     value (id, kind, number, last_number, calls, rank, object, side, function, root, op, bytes, types, type, site)
         AS MATERIALIZED (
         SELECT w.id, w.kind, w.number, NULL, w.calls, k.rank, k.object, NULL, k.function, k.root, k.op,
                k.size_bytes, k.signature, k.type, k.site
         FROM known w JOIN collective_calls k ON k.id = w.id AND k.number = w.number
         WHERE w.kind NOT IN ('call', 'data') AND NOT (k.compared IS 'pairs' AND w.kind IN ('count', 'type'))
         UNION ALL
         SELECT w.id, w.kind, w.number, NULL, w.calls, k.rank, k.object, 'sends', k.function, k.root, k.op,
                k.own_bytes, k.own, NULL, k.site
         FROM known w JOIN collective_calls k ON k.id = w.id AND k.number = w.number
         WHERE w.kind IN ('count', 'type') AND k.compared = 'all' AND k.own IS NOT NULL
               AND (k.own_bytes IS NOT k.size_bytes OR w.kind = 'type' AND k.own <> k.signature)
         UNION ALL -- sums of all that is sent, and of all that is received
         SELECT w.id, w.kind, w.number, NULL, w.calls, k.rank, k.object, s.side, k.function, k.root, k.op,
                CASE WHEN s.side IS NULL THEN sum(k.size_bytes) OVER same ELSE sum(k.own_bytes) OVER same END,
                NULL, CASE WHEN s.side IS NULL THEN k.type END, k.site
         FROM known w JOIN collective_calls k ON k.id = w.id AND k.number = w.number
              JOIN (SELECT NULL AS side UNION ALL SELECT 'sends') s
         WHERE k.compared = 'pairs' AND w.kind IN ('count', 'type')
         WINDOW same AS (PARTITION BY w.id, w.kind, w.number, s.side)
         UNION ALL
         SELECT w.id, w.kind, w.number, w.last_number, NULL, p.rank, p.object, NULL, NULL, NULL, NULL, NULL,
                CASE w.kind WHEN 'call' THEN p.hash ELSE p.data_hash END, NULL, NULL
         FROM known w JOIN object o ON o.uid = w.id
              JOIN (SELECT rank, object, number, hash, data_hash FROM collective_point
                    UNION ALL SELECT rank, object, begun, hash, data_hash FROM collective
                              WHERE begun & (begun - 1)) p
                   ON p.rank = o.rank AND p.object = o.object AND p.number = w.last_number
         WHERE w.kind IN ('call', 'data')
         UNION ALL
         SELECT w.id, w.kind, w.number, NULL, NULL, k.rank, k.object, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
         FROM known w JOIN object o ON o.uid = w.id JOIN collective k ON k.rank = o.rank AND k.object = o.object
         WHERE w.kind = 'missing' AND k.begun - (o.freed_ns IS NOT NULL) < w.number),
     labelled (id, kind, number, last_number, calls, rank, object, side, function, root, op, bytes, types, type, site)
         AS MATERIALIZED (
         SELECT v.id, v.kind, v.number, v.last_number, v.calls, v.rank, v.object, v.side, f.name, v.root, v.op, v.bytes,
                CASE WHEN v.kind IN ('call', 'data', 'type') THEN v.types END, l.label, v.site
         FROM value v LEFT JOIN function f ON f.function = v.function
              LEFT JOIN labels l ON l.rank = v.rank AND l.object = v.type),
     -- the values that make a group: those that differ, and those that help to understand
     grouped AS (
         SELECT *, row_number() OVER same - rank AS island
         FROM labelled
         WINDOW same AS (PARTITION BY id, kind, number, side, function, root, op, bytes, types, type, site
                         ORDER BY rank)),
     island AS (
         SELECT *, min(rank) AS first, max(rank) AS final FROM grouped
         GROUP BY id, kind, number, side, function, root, op, bytes, types, type, site, island
         ORDER BY min(rank)),
     named (id, label, kind, size) AS MATERIALIZED (
         SELECT v.id, l.label, o.kind, count(DISTINCT v.rank)
         FROM (SELECT id, rank, object, min(rank) OVER (PARTITION BY id) AS lowest FROM value) v
              JOIN object o ON o.rank = v.rank AND o.object = v.object
              JOIN labels l ON l.rank = v.lowest AND l.object = (SELECT x.object FROM value x
                                                                 WHERE x.id = v.id AND x.rank = v.lowest)
         GROUP BY 1)
SELECT i.id, i.kind, i.number, i.last_number, i.calls, n.kind, n.label, n.size,
       group_concat(first || CASE final - first WHEN 0 THEN '' WHEN 1 THEN ',' || final ELSE '-' || final END, ','),
       min(first), i.side, i.function, i.root, i.op, i.bytes, i.type, i.site
FROM island i JOIN named n ON n.id = i.id
GROUP BY i.id, i.kind, i.number, i.side, i.function, i.root, i.op, i.bytes, i.types, i.type, i.site
ORDER BY 7, 1, 3, 10;

CREATE VIEW check_findings ( -- calls whose arguments differ between members: a part of findings
    communicator, -- communicator, window or file: its name in reports
    communicator_uid, -- its id
    subject, -- what differs: kind in mismatches
    number, -- number of the first such call
    last_number, -- end of the range; NULL: exact
    calls, -- number of known calls with such a difference
    ranks, -- members of the object
    rank, -- the lowest rank that has made the call
    function, -- function, on the lowest rank
    site -- call site, on the lowest rank
) AS
WITH found AS MATERIALIZED (
         SELECT DISTINCT id, kind, number, last_number, calls, object_name, rank, function, site FROM mismatches
         WHERE side IS NULL),
     member (id, rank) AS (
         SELECT DISTINCT CAST(o.uid AS INT), o.rank FROM object o
         WHERE o.uid IN (SELECT id FROM found) AND o.kind IN ('communicator', 'window', 'file')),
     island (id, first, last) AS (
         SELECT id, min(rank), max(rank)
         FROM (SELECT id, rank, row_number() OVER (PARTITION BY id ORDER BY rank) - rank AS island FROM member)
         GROUP BY id, island ORDER BY 2),
     listed (id, ranks) AS MATERIALIZED (
         SELECT id, group_concat(first || CASE last - first WHEN 0 THEN '' WHEN 1 THEN ',' || last ELSE '-' || last END,
                                 ',')
         FROM island GROUP BY id)
-- the row with this minimum supplies the other columns
SELECT f.object_name, f.id, f.kind, f.number, f.last_number, f.calls, l.ranks, min(f.rank), f.function, f.site
FROM found f JOIN listed l ON l.id = f.id GROUP BY f.id, f.kind, f.number;
