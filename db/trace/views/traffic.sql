-- Views: who sent how much to whom, and with which tags.

CREATE VIEW talk ( -- who sent how much to whom: one row for each pair of processes on each communicator, with the accounts of both
    communicator, -- name, or how it was created
    communicator_uid, -- its id, as in run_communicators
    way, -- message; put, get: one-sided, on the windows that were created on it: only the origin has an account
    source, -- rank in MPI_COMM_WORLD; NULL: see partner
    dest, -- likewise
    partner, -- NULL: both are known; MPI_PROC_NULL; others: all beyond the first 4096 partners of a thread; elsewhere: processes that are not in MPI_COMM_WORLD
    sent_messages, -- the source's account: how many; NULL: it has none
    sent_bytes, -- data in them
    received_messages, -- the account of dest: how many; NULL likewise
    received_bytes, -- data in them
    send_seconds, -- in the calls of the source, waiting included
    receive_seconds, -- in those of dest
    distance -- self, core, package, node, remote: what both processes share, by where they made most of their calls. node also where nothing closer is known; NULL: not even that
) AS
WITH place (rank, node, cpu, core, package) AS MATERIALIZED (
         SELECT p.rank, p.node, m.cpu, c.core, c.package
         FROM process p LEFT JOIN (SELECT rank, cpu, max(calls) FROM rank_processors GROUP BY rank) m ON m.rank = p.rank
              LEFT JOIN processor c ON c.rank = m.rank AND c.cpu = m.cpu),
     pair (id, first, way, source, dest, partner, sent_messages, sent_bytes, received_messages, received_bytes, send_ns, receive_ns) AS MATERIALIZED (
         SELECT CAST(coalesce(o.uid, (o.rank << 32) + o.object) AS INT), min((o.rank << 32) + o.object),
                CASE WHEN t.direction IN ('put', 'get') THEN t.direction ELSE 'message' END, t.source, t.dest,
                CASE WHEN t.peer = -2 THEN 'MPI_PROC_NULL' WHEN t.peer < 0 THEN 'others' WHEN t.source IS NULL OR t.dest IS NULL THEN 'elsewhere' END,
                sum(CASE WHEN t.direction IN ('send', 'put') THEN t.messages END), sum(CASE WHEN t.direction IN ('send', 'put') THEN t.bytes END),
                sum(CASE WHEN t.direction IN ('receive', 'get') THEN t.messages END), sum(CASE WHEN t.direction IN ('receive', 'get') THEN t.bytes END),
                sum(CASE WHEN t.direction IN ('send', 'put') THEN t.time_ns END), sum(CASE WHEN t.direction IN ('receive', 'get') THEN t.time_ns END)
         FROM traffic t LEFT JOIN window w ON w.rank = t.rank AND w.object = t.object
              JOIN object o ON o.rank = t.rank AND o.object = coalesce(w.communicator, t.object)
         GROUP BY 1, 3, 4, 5, 6)
SELECT n.label, p.id, p.way, p.source, p.dest, p.partner, p.sent_messages, p.sent_bytes, p.received_messages, p.received_bytes,
       p.send_ns / 1e9, p.receive_ns / 1e9,
       CASE WHEN p.source = p.dest THEN 'self'
            WHEN s.node <> d.node THEN 'remote'
            WHEN s.node = d.node THEN CASE WHEN s.cpu = d.cpu OR (s.core = d.core AND s.package = d.package) THEN 'core'
                                           WHEN s.package = d.package THEN 'package' ELSE 'node' END END
FROM pair p JOIN labels n ON n.rank = p.first >> 32 AND n.object = (p.first & 4294967295)
     LEFT JOIN place s ON s.rank = p.source LEFT JOIN place d ON d.rank = p.dest
ORDER BY n.label, p.id, p.way, p.source, p.dest, p.partner;

CREATE VIEW tags ( -- the tags of messages, by communicator and call site
    communicator, -- name, or how it was created
    communicator_uid, -- its id, as in run_communicators
    direction, -- send, receive
    tag, -- tag, or the first of a range: beyond 512 tags from one call site on one communicator by one thread
    last_tag, -- the same, or the last of the range
    largest_tag, -- that was used, of those
    messages, -- how many, of all ranks together
    ranks, -- that sent or received them
    used_at, -- call site in words
    site -- call site that sent, received or posted the receive; 0: not known
) AS
SELECT n.label, t.id, t.direction, t.tag, t.last_tag, t.largest_tag, t.messages, t.ranks, s.location, t.site
FROM (SELECT CAST(coalesce(o.uid, (o.rank << 32) + o.object) AS INT) AS id, min((o.rank << 32) + o.object) AS first, t.direction, t.tag, t.last_tag,
             max(t.largest_tag) AS largest_tag, sum(t.messages) AS messages, count(DISTINCT t.rank) AS ranks, t.site
      FROM tag t JOIN object o ON o.rank = t.rank AND o.object = t.communicator GROUP BY 1, 3, 4, 5, t.site) t
     JOIN labels n ON n.rank = t.first >> 32 AND n.object = (t.first & 4294967295) LEFT JOIN sites s ON s.site = t.site
ORDER BY n.label, t.id, t.direction, t.tag, t.last_tag, t.site;

CREATE VIEW tags_too_large ( -- tags above 32767: no MPI has to allow them (MPI 4.1, 9.1.2); what this one allows is MPI_TAG_UB
    communicator, -- name, or how it was created
    tag, -- tag; of a range (see tags) the largest that was used
    direction, -- send, receive
    messages, -- how many, with a range those of all its tags
    ranks, -- that sent or received them
    used_at, -- call site in words
    site -- its number; 0: not known
) AS
SELECT communicator, largest_tag, direction, messages, ranks, used_at, site FROM tags WHERE largest_tag > 32767 ORDER BY largest_tag DESC, communicator, direction, site;
