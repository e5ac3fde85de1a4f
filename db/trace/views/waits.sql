-- Views: who waits for whom, while a program hangs or when its processes died.

CREATE VIEW waits ( -- threads inside an MPI call, and the ranks that they wait for; in processes that run or ended
        -- without MPI_Finalize
    rank, -- rank of the process
    thread, -- number of the row within the rank, as in threads
    outcome, -- state of the process: running, died, aborted, exited
    call, -- current call
    way, -- receive, send, exchange (both), completion (of requests, if it is unknown what the first pending one does),
        -- choice (of one request among several), collective, one-sided, io, other
    object, -- communicator, window or file of the call: its number within the rank. MPI_Finalize: MPI_COMM_WORLD
    object_name, -- its name in reports; NULL: the call has none
    id, -- id of the object, equal on all processes that share it; NULL: only this one has it, or unknown
    size, -- number of processes in it, in both groups of an intercommunicator
    peer, -- peer of the call, as rank in the communicator; -1 MPI_ANY_SOURCE, -2 MPI_PROC_NULL, -3 MPI_ROOT. In a wait:
        -- peer of the first pending request. In a collective: the root
    peer_rank, -- its rank in MPI_COMM_WORLD; NULL: none, or unknown
    tag, -- tag of the call; -1 MPI_ANY_TAG. In a wait: of the first pending request
    site, -- call site
    since_ns, -- when the call began
    seen_ns, -- last time when it was known to be in the call: the look at a running process
    collective, -- in a collective call: its number on the object, from 1, equal on all members. NULL: unknown, or
        -- another call
    alone -- 1: every thread of the process that has not ended is inside a call; 0: another one may still do something
) AS
WITH world (rank, object) AS MATERIALIZED (
         SELECT o.rank, min(o.object) FROM object o JOIN communicator c USING (rank, object) JOIN process p USING (rank)
         WHERE o.predefined AND c.size = p.world_size GROUP BY 1),
     inside (rank, thread, outcome, call, class, waits, transfer, number, object, peer, tag, site, since_ns,
             seen_ns) AS MATERIALIZED (
         SELECT t.rank, t.thread, p.outcome, f.name, f.class, f.waits, t.transfer, t.collective,
                CASE f.waits WHEN 'everybody' THEN w.object ELSE t.object END, t.peer, t.tag, t.site, t.since_ns,
                p.last_seen_ns
         FROM thread t JOIN process p USING (rank) LEFT JOIN function f ON f.function = t.function
              LEFT JOIN world w ON w.rank = t.rank
         WHERE t.state = 'inside' AND p.outcome <> 'finalized'),
     -- own: rank of the process itself in the object; a window's ranks are those of its communicator
     position (rank, object, id, own, size, remote_size, side, everybody) AS MATERIALIZED (
         SELECT o.rank, o.object, CAST(o.uid AS INT), c.own_rank, c.size, c.remote_size, CAST(p.uid AS INT),
                o.object = w.object
         FROM object o JOIN communicator c USING (rank, object)
              LEFT JOIN object p ON p.rank = o.rank AND p.object = o.parent
              LEFT JOIN world w ON w.rank = o.rank),
     named (rank, thread, on_object, peer) AS MATERIALIZED (
         SELECT i.rank, i.thread, coalesce(w.communicator, i.object), i.peer
         FROM inside i LEFT JOIN window w ON w.rank = i.rank AND w.object = i.object WHERE i.peer >= 0),
     -- sides: members of the other group of an intercommunicator have the same rank and another parent. A single
     -- candidate is sure, two are not
     partner (rank, thread, peer_rank) AS MATERIALIZED (
         SELECT n.rank, n.thread, CASE count(DISTINCT m.rank) WHEN 1 THEN min(m.rank) END
         FROM named n CROSS JOIN position s ON s.rank = n.rank AND s.object = n.on_object
              CROSS JOIN position m ON m.id = s.id AND m.own = n.peer
         WHERE s.remote_size IS NULL OR (m.size = s.remote_size AND m.remote_size = s.size AND m.side <> s.side)
         GROUP BY 1, 2),
     talked (rank, thread, peer_rank) AS MATERIALIZED (
         SELECT n.rank, n.thread, max(CASE WHEN t.direction IN ('send', 'put') THEN t.dest ELSE t.source END)
         FROM named n JOIN traffic t ON t.rank = n.rank AND t.object = n.on_object AND t.peer = n.peer GROUP BY 1, 2),
     several (rank, alone) AS MATERIALIZED (SELECT rank, min(state <> 'outside') FROM thread GROUP BY rank)
SELECT i.rank, i.thread, i.outcome, i.call,
       CASE i.waits WHEN 'synchronous-send' THEN 'send' WHEN 'message' THEN 'receive' WHEN 'any-request' THEN 'choice'
            WHEN 'everybody' THEN 'collective'
            WHEN 'all-requests'
            THEN CASE i.transfer WHEN 'both' THEN 'exchange' ELSE coalesce(i.transfer, 'completion') END
            WHEN 'target' THEN 'one-sided' WHEN 'posts' THEN 'one-sided' WHEN 'completes' THEN 'one-sided'
            ELSE coalesce(nullif(i.waits, 'others'),
                          CASE WHEN i.class = 'io' THEN 'io' WHEN i.class IN ('one-sided', 'window') THEN 'one-sided'
                               ELSE 'other' END) END,
       i.object, l.label, CAST(o.uid AS INT), c.size + coalesce(c.remote_size, 0), i.peer,
       CASE WHEN i.peer < 0 THEN NULL WHEN s.everybody THEN i.peer
            WHEN s.size = 1 AND s.remote_size IS NULL AND i.peer = 0 THEN i.rank
            ELSE coalesce(partner.peer_rank, talked.peer_rank) END,
       i.tag, nullif(i.site, 0), i.since_ns, i.seen_ns, i.number, several.alone
FROM inside i LEFT JOIN labels l ON l.rank = i.rank AND l.object = i.object
     LEFT JOIN object o ON o.rank = i.rank AND o.object = i.object
     LEFT JOIN window v ON v.rank = i.rank AND v.object = i.object
     LEFT JOIN communicator c ON c.rank = i.rank
                                 AND c.object = CASE o.kind WHEN 'window' THEN v.communicator WHEN 'file' THEN o.parent
                                                     ELSE i.object END
     LEFT JOIN named n ON n.rank = i.rank AND n.thread = i.thread
     LEFT JOIN position s ON s.rank = n.rank AND s.object = n.on_object
     LEFT JOIN partner ON partner.rank = i.rank AND partner.thread = i.thread
     LEFT JOIN talked ON talked.rank = i.rank AND talked.thread = i.thread
     JOIN several ON several.rank = i.rank
ORDER BY i.rank, i.thread;

CREATE VIEW missing ( -- collective calls that some rank is in: the members that have not begun it, and their current
        -- call instead
    call, -- the collective call
    id, -- id of its communicator, window or file, as in waits
    collective, -- number of the collective call, as in waits
    object_name, -- its name in reports, on the first rank that is in the call
    size, -- number of members
    inside, -- number of members in the call
    rank, -- member that has not entered it; NULL: members without a journal here, or nobody is missing
    state, -- running, died, exited, aborted, finalized
    within, -- 1: it is in other_call, or was at its end; 0: it is outside MPI
    other_call, -- its current call, or else the last one that returned
    other_name, -- communicator, window or file of other_call
    since_ns, -- begin of other_call, or its return if within is 0
    seen_ns, -- time of the look at the process
    site -- call site of other_call
) AS
WITH team (call, id, number, label, size, inside, rank) AS MATERIALIZED (
         -- the row with this minimum supplies name and size
         SELECT w.call, w.id, w.collective, w.object_name, w.size, count(DISTINCT w.rank), min(w.rank) FROM waits w
         WHERE w.way = 'collective' AND w.id IS NOT NULL GROUP BY 1, 2, 3),
     -- begun: collective calls on it; a member that freed it has begun all
     member (id, rank, begun) AS MATERIALIZED (
         SELECT CAST(o.uid AS INT), o.rank,
                max(CASE WHEN o.freed_ns IS NULL THEN coalesce(k.begun, 0) ELSE 9223372036854775807 END)
         FROM object o LEFT JOIN collective k ON k.rank = o.rank AND k.object = o.object
         WHERE o.uid IS NOT NULL AND o.kind IN ('communicator', 'window', 'file') GROUP BY 1, 2),
     -- one row for each rank: the call of the first thread that is inside, or else the last that returned
     doing (rank, outcome, inside, call, object, since_ns, seen_ns, site, latest) AS MATERIALIZED (
         SELECT p.rank, p.outcome, coalesce(t.state = 'inside', 0), f.name, t.object,
                CASE t.state WHEN 'inside' THEN t.since_ns ELSE t.until_ns END, p.last_seen_ns, nullif(t.site, 0),
                max(CASE t.state WHEN 'inside' THEN 1000000000 - t.thread ELSE coalesce(t.until_ns, 0) / 1e18 END)
         FROM process p LEFT JOIN thread t ON t.rank = p.rank LEFT JOIN function f ON f.function = t.function
         WHERE p.rank >= 0 GROUP BY p.rank),
     here (call, id, rank) AS MATERIALIZED (SELECT DISTINCT call, id, rank FROM waits
                                            WHERE way = 'collective' AND id IS NOT NULL),
     -- if calls are not numbered: members in no call of that name
     away (call, id, number, rank) AS MATERIALIZED (
         SELECT t.call, t.id, t.number, m.rank FROM team t JOIN member m ON m.id = t.id JOIN doing d ON d.rank = m.rank
              LEFT JOIN here h ON h.call = t.call AND h.id = t.id AND h.rank = m.rank
              LEFT JOIN function f ON f.name = t.call
         WHERE CASE WHEN t.number THEN m.begun < t.number ELSE h.rank IS NULL
               AND NOT (f.waits IS 'everybody' AND d.outcome = 'finalized') END),
     known (call, id, number, known) AS MATERIALIZED (
         SELECT t.call, t.id, t.number, count(m.rank) FROM team t JOIN member m ON m.id = t.id GROUP BY 1, 2, 3)
SELECT t.call, t.id, t.number, t.label, t.size, t.inside, a.rank,
       d.outcome, d.inside,
       d.call, n.label, d.since_ns, d.seen_ns, d.site
FROM team t JOIN known k ON k.call = t.call AND k.id = t.id AND k.number IS t.number
     LEFT JOIN (SELECT call, id, number, rank FROM away UNION ALL
                SELECT k.call, k.id, k.number, NULL FROM known k
                JOIN team t ON t.call = k.call AND t.id = k.id AND t.number IS k.number
                WHERE k.known < t.size
                      OR NOT EXISTS (SELECT 1 FROM away a
                                     WHERE a.call = k.call AND a.id = k.id AND a.number IS k.number))
               a ON a.call = t.call AND a.id = t.id AND a.number IS t.number
     LEFT JOIN doing d ON d.rank = a.rank LEFT JOIN labels n ON n.rank = d.rank AND n.object = d.object
ORDER BY t.id, t.call, t.number, a.rank;
