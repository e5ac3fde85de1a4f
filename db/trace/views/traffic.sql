-- Views: messages and data between ranks.

-- shared: overview, others
CREATE VIEW summed_traffic ( -- the table traffic, added up for each pair of processes on each communicator
    id, -- id of the communicator, as in run_communicators
    first, -- the communicator on the lowest rank that has a row: object_key
    transfer, -- message; put, get: one-sided, on windows created on it; only the origin counts these
    source, -- rank in MPI_COMM_WORLD; NULL: see partner
    dest, -- rank in MPI_COMM_WORLD; NULL: see partner
    partner, -- NULL: both are known; MPI_PROC_NULL; others: all beyond the first 4096 partners of a thread; elsewhere:
        -- processes that are not in MPI_COMM_WORLD
    sent_messages, -- messages by the sender's count; NULL: none
    sent_bytes, -- data in them
    received_messages, -- messages by the receiver's count; NULL: none
    received_bytes, -- data in them
    send_ns, -- time in the calls of the source, including waits
    receive_ns -- time in the calls of dest, including waits
) AS
SELECT k.id, min(k.object_key),
       CASE WHEN t.direction IN ('put', 'get') THEN t.direction ELSE 'message' END, t.source, t.dest,
       CASE WHEN t.peer = -2 THEN 'MPI_PROC_NULL' WHEN t.peer < 0 THEN 'others'
            WHEN t.source IS NULL OR t.dest IS NULL THEN 'elsewhere' END,
       sum(CASE WHEN t.direction IN ('send', 'put') THEN t.messages END),
       sum(CASE WHEN t.direction IN ('send', 'put') THEN t.bytes END),
       sum(CASE WHEN t.direction IN ('receive', 'get') THEN t.messages END),
       sum(CASE WHEN t.direction IN ('receive', 'get') THEN t.bytes END),
       sum(CASE WHEN t.direction IN ('send', 'put') THEN t.time_ns END),
       sum(CASE WHEN t.direction IN ('receive', 'get') THEN t.time_ns END)
FROM traffic t LEFT JOIN window w ON w.rank = t.rank AND w.object = t.object
     JOIN object_keys k ON k.rank = t.rank AND k.object = coalesce(w.communicator, t.object)
WHERE t.direction IN ('send', 'receive', 'put', 'get')
GROUP BY k.id, 3, 4, 5, 6;

-- shared: others
CREATE VIEW traffic_pairs ( -- messages and data between ranks: a row for each pair of processes on each communicator
    communicator, -- name, or how it was created
    communicator_uid, -- its id, as in run_communicators
    transfer, source, dest, partner, -- as in summed_traffic
    sent_messages, sent_bytes, received_messages, received_bytes, -- as in summed_traffic
    messages, -- the larger of both counts
    bytes, -- the larger of both counts
    send_seconds, -- time in the calls of the source, including waits
    receive_seconds, -- time in the calls of dest, including waits
    distance -- self, core, package, node, remote: closest unit that both share, by where they made most of their calls.
        -- node also if nothing closer is known; NULL: unknown
) AS
WITH place (rank, node, cpu, core, package) AS MATERIALIZED (
         SELECT p.rank, p.node, m.cpu, m.core, m.package
         FROM process p
              LEFT JOIN (SELECT rank, cpu, core, package, max(calls) FROM rank_processors GROUP BY rank) m
                        ON m.rank = p.rank)
SELECT n.label, p.id, p.transfer, p.source, p.dest, p.partner, p.sent_messages, p.sent_bytes, p.received_messages,
       p.received_bytes, max(coalesce(p.sent_messages, 0), coalesce(p.received_messages, 0)),
       max(coalesce(p.sent_bytes, 0), coalesce(p.received_bytes, 0)), p.send_ns / 1e9, p.receive_ns / 1e9,
       CASE WHEN p.source = p.dest THEN 'self'
            WHEN s.node <> d.node THEN 'remote'
            WHEN s.node = d.node THEN CASE WHEN s.cpu = d.cpu OR (s.core = d.core AND s.package = d.package) THEN 'core'
                                           WHEN s.package = d.package THEN 'package' ELSE 'node' END END
FROM summed_traffic p JOIN labels n ON n.rank = p.first >> 32 AND n.object = p.first & 4294967295
     LEFT JOIN place s ON s.rank = p.source LEFT JOIN place d ON d.rank = p.dest
ORDER BY n.label, p.id, p.transfer, p.source, p.dest, p.partner;

CREATE VIEW traffic_distances ( -- messages by distance: traffic_pairs, added up by communicator and distance
    communicator, -- name, or how it was created
    communicator_uid, -- its id, as in run_communicators
    transfer, -- message, put, get
    partner, -- as in traffic_pairs
    distance, -- as in traffic_pairs
    pairs, -- number of pairs of processes
    two_sided, -- number of pairs with both counts
    messages, -- sum over the pairs
    bytes -- sum over the pairs
) AS
SELECT communicator, communicator_uid, transfer, partner, distance, count(*),
       sum(sent_messages IS NOT NULL AND received_messages IS NOT NULL), sum(messages), sum(bytes)
FROM traffic_pairs GROUP BY 1, 2, 3, 4, 5;

-- shared: overview, others
CREATE VIEW traffic_differences ( -- pairs of processes whose sender and receiver counts differ
    -- Only pairs in which both made all their calls (complete_processes).
    communicator, -- name, or how it was created
    communicator_uid, -- its id, as in run_communicators
    source, -- rank in MPI_COMM_WORLD
    dest, -- rank in MPI_COMM_WORLD that receives
    sent_messages, -- messages by the sender's count
    received_messages, -- messages by the receiver's count
    sent_bytes, -- bytes by the sender's count
    received_bytes, -- bytes that arrived, as dest counts them
    unknown_messages, -- this many more may have arrived: their receives' status was not read before the
        -- requests were freed. A pair has a row only if even that does not explain the difference
    reason -- paused: one of the two paused the recording (MPI_Pcontrol); not recorded: one trace lacks something;
        -- truncated: as many messages, but less data: longer than the receive buffer; not received: fewer
        -- arrived; not sent: more arrived
) AS
-- For other communicators the members are unknown.
WITH shared (id) AS MATERIALIZED (SELECT DISTINCT uid FROM object WHERE kind = 'communicator' AND uid IS NOT NULL),
     crowded (id, rank, sends) AS MATERIALIZED ( -- ranks with too many partners to know each
         SELECT id, coalesce(source, dest), source IS NOT NULL FROM summed_traffic
         WHERE partner = 'others' AND transfer = 'message'),
     doubtful (rank, reason) AS MATERIALIZED (SELECT * FROM doubtful_processes),
     pair (first, id, source, dest, sent_messages, received_messages, sent_bytes, received_bytes) AS MATERIALIZED (
         SELECT *
         FROM (SELECT first, id, source, dest, coalesce(sent_messages, 0) AS sent_messages,
                      coalesce(received_messages, 0) AS received_messages, coalesce(sent_bytes, 0) AS sent_bytes,
                      coalesce(received_bytes, 0) AS received_bytes
               FROM summed_traffic WHERE transfer = 'message' AND partner IS NULL)
         WHERE sent_messages <> received_messages OR sent_bytes <> received_bytes),
     unknown (id, source, dest, messages) AS MATERIALIZED ( -- source NULL: MPI_ANY_SOURCE
         SELECT k.id, t.source, t.dest, sum(t.messages)
         FROM traffic t JOIN object_keys k ON k.rank = t.rank AND k.object = t.object
         WHERE t.direction IN ('receive unknown', 'send unknown') GROUP BY 1, 2, 3),
     known AS MATERIALIZED (
         SELECT n.label AS communicator, p.id AS communicator_uid, p.source, p.dest, p.sent_messages,
                p.received_messages, p.sent_bytes, p.received_bytes,
                (SELECT CAST(total(u.messages) AS INT) FROM unknown u
                 WHERE u.id = p.id AND u.dest = p.dest AND (u.source = p.source OR u.source IS NULL))
                     AS unknown_messages
         FROM pair p JOIN labels n ON n.rank = p.first >> 32 AND n.object = p.first & 4294967295)
SELECT p.*, coalesce(max(s.reason, d.reason), s.reason, d.reason,
                     CASE WHEN p.received_messages < p.sent_messages THEN 'not received'
                          WHEN p.received_messages > p.sent_messages OR p.received_bytes > p.sent_bytes THEN 'not sent'
                          ELSE 'truncated' END)
FROM known p JOIN complete_processes a ON a.rank = p.source JOIN complete_processes b ON b.rank = p.dest
     LEFT JOIN doubtful s ON s.rank = p.source LEFT JOIN doubtful d ON d.rank = p.dest
WHERE p.sent_messages - p.received_messages NOT BETWEEN 1 AND p.unknown_messages
      AND (p.source = p.dest OR p.communicator_uid IN (SELECT id FROM shared))
      AND NOT EXISTS (SELECT 1 FROM crowded c
                      WHERE c.id = p.communicator_uid AND c.rank = CASE WHEN c.sends THEN p.source ELSE p.dest END)
ORDER BY abs(p.sent_messages - p.received_messages) DESC, abs(p.sent_bytes - p.received_bytes) DESC, p.communicator,
         p.communicator_uid, p.source, p.dest;

-- kept: overview
CREATE VIEW traffic_findings ( -- pairs of processes whose counts differ, by reason and communicator
    kind, -- not_received, truncated, not_sent, not_recorded, paused: the reason, as in traffic_differences
    ranks, -- all ranks of these pairs, as ranges: 0-3,7
    communicator, -- name, or how it was created
    communicator_uid, -- its id, as in run_communicators
    pairs, -- number of pairs of processes
    messages, -- difference of message counts, without those that may have arrived unknown
    bytes -- difference of bytes
) AS
WITH apart AS MATERIALIZED (SELECT replace(reason, ' ', '_') AS kind, * FROM traffic_differences),
     member (kind, id, rank) AS (
         SELECT kind, communicator_uid, source FROM apart UNION SELECT kind, communicator_uid, dest FROM apart),
     range (kind, id, first, last) AS (
         SELECT kind, id, min(rank), max(rank)
         FROM (SELECT kind, id, rank, rank - row_number() OVER (PARTITION BY kind, id ORDER BY rank) AS shift
               FROM member)
         GROUP BY kind, id, shift),
     ranges (kind, id, ranks) AS MATERIALIZED (
         SELECT kind, id, group_concat(first || CASE last - first WHEN 0 THEN '' WHEN 1 THEN ',' || last
                                                     ELSE '-' || last END, ',')
         FROM (SELECT * FROM range ORDER BY kind, id, first) GROUP BY kind, id)
SELECT a.kind, max(r.ranks), min(a.communicator), a.communicator_uid, count(*),
       sum(abs(a.sent_messages - a.received_messages)
           - CASE a.kind WHEN 'not_received' THEN a.unknown_messages ELSE 0 END),
       sum(abs(a.sent_bytes - a.received_bytes))
FROM apart a JOIN ranges r ON r.kind = a.kind AND r.id = a.communicator_uid
GROUP BY a.kind, a.communicator_uid ORDER BY a.kind IN ('not_recorded', 'paused'), 6 DESC, 1, 4;
