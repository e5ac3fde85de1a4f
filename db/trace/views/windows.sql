-- Views: waits of one-sided communication, from the recorded events.

CREATE VIEW window_waits ( -- calls that waited for the epoch or the lock of another rank: a part of wait_states
    kind, -- late_post: MPI_Win_start or MPI_Win_complete began before a target called MPI_Win_post. late_complete:
        -- MPI_Win_wait began before an origin called MPI_Win_complete. wait_for_lock: MPI_Win_lock or MPI_Win_lock_all
        -- returned only when another rank unlocked the same target, and one of both locks was exclusive
    rank, -- as in wait_states
    thread, -- as in wait_states
    event, -- as in wait_states
    function, -- as in wait_states
    site, -- as in wait_states
    object_name, -- the window: its name in reports
    id, -- its id
    cause, -- as in wait_states
    cause_function, -- as in wait_states
    cause_site, -- as in wait_states
    start_ns, -- as in wait_states
    wait_ns, -- as in wait_states
    error_ns -- as in wait_states
) AS
WITH member (rank, window, uid, own, node, error_ns) AS MATERIALIZED (
         SELECT w.rank, w.object, o.uid, c.own_rank, p.node, p.clock_error_ns
         FROM window w JOIN object o USING (rank, object)
              JOIN communicator c ON c.rank = w.rank AND c.object = w.communicator JOIN process p ON p.rank = w.rank
         WHERE o.uid IS NOT NULL),
     epoch (uid, own, peer, nth, rank, thread, event, window, function, act, waits, site, start_ns, end_ns, node,
            error_ns) AS MATERIALIZED (
         SELECT m.uid, m.own, w.peer, w.nth, w.rank, w.thread, w.event, w.window, f.name, f.epoch_act, f.waits, e.site,
                e.start_ns,
                e.start_ns + e.duration_ns, m.node, m.error_ns
         FROM event_window w CROSS JOIN event e USING (rank, thread, event)
              CROSS JOIN function f ON f.function = e.function
              CROSS JOIN member m ON m.rank = w.rank AND m.window = w.window
         WHERE w.nth IS NOT NULL),
     -- the row with this maximum supplies the cause
     last (kind, rank, thread, event, function, site, window, uid, cause, cause_function, cause_site, start_ns,
           until_ns, end_ns, error_ns) AS (
         SELECT CASE e.waits WHEN 'posts' THEN 'late_post' ELSE 'late_complete' END, e.rank, e.thread, e.event,
                e.function, e.site, e.window, e.uid, p.rank, p.function, p.site, e.start_ns, max(p.start_ns), e.end_ns,
                CASE WHEN e.node = p.node THEN 0 ELSE e.error_ns + p.error_ns END
         FROM epoch e JOIN epoch p ON p.uid = e.uid AND p.own = e.peer AND p.peer = e.own AND p.nth = e.nth
              AND p.act = CASE e.waits WHEN 'posts' THEN 'post' WHEN 'completes' THEN 'complete' END
         GROUP BY e.rank, e.thread, e.event),
     -- calls that took a lock which excludes others
     alone (rank, thread, event) AS MATERIALIZED (
         SELECT DISTINCT rank, thread, event FROM event_window WHERE nth IS NULL AND event IS NOT NULL),
     -- until_ns: when the same rank begins to unlock the target: until then it surely holds the lock. peer -2: all
     taken (rank, window, peer, thread, event, function, act, site, start_ns, end_ns, next, next_function, until_ns,
            until_site, exclusive) AS MATERIALIZED (
         SELECT e.rank, e.object, coalesce(e.peer, -2), e.thread, e.event, f.name, f.epoch_act, e.site, e.start_ns,
                e.start_ns + e.duration_ns, lead(f.epoch_act) OVER calls, lead(f.name) OVER calls,
                lead(e.start_ns) OVER calls, lead(e.site) OVER calls,
                a.rank IS NOT NULL
         FROM (SELECT DISTINCT rank FROM member) m CROSS JOIN event e USING (rank)
              JOIN function f ON f.function = e.function AND f.epoch_act IN ('lock', 'unlock', 'lock_all', 'unlock_all')
              LEFT JOIN alone a ON a.rank = e.rank AND a.thread = e.thread AND a.event = e.event
         WHERE e.peer >= 0 OR e.peer IS NULL
         WINDOW calls AS (PARTITION BY e.rank, e.object, e.peer ORDER BY e.start_ns)),
     held AS MATERIALIZED (
         SELECT t.*, m.uid, m.node, m.error_ns, t.next IN ('unlock', 'unlock_all') AS released
         FROM taken t JOIN member m USING (rank, window)
         WHERE t.act IN ('lock', 'lock_all')),
     -- peer -1: exclusive locks of any target
     holding AS MATERIALIZED (
         SELECT peer AS place, * FROM held UNION ALL SELECT -1, * FROM held WHERE peer >= 0 AND exclusive),
     -- the last moments before the lock was taken at which another lock that excludes it ended
     ended (uid, peer, rank, thread, event, at_ns, of_any_ns, of_exclusive_ns) AS (
         SELECT uid, peer, rank, thread, event, at_ns, max(iif(unlocks, at_ns, NULL)) OVER before,
                max(iif(unlocks = 2, at_ns, NULL)) OVER before
         FROM (SELECT uid, place AS peer, rank, NULL AS thread, NULL AS event, until_ns AS at_ns,
                      1 + exclusive AS unlocks
               FROM holding WHERE released
               UNION ALL
               SELECT uid, peer, rank, thread, event, end_ns, 0 FROM held WHERE peer >= 0
               UNION ALL
               SELECT uid, -1, rank, thread, event, end_ns, 0 FROM held WHERE peer = -2
               UNION ALL
               SELECT uid, -2, rank, thread, event, end_ns, 0 FROM held WHERE peer >= 0 AND exclusive)
         WINDOW before AS (PARTITION BY uid, peer ORDER BY at_ns ROWS UNBOUNDED PRECEDING)),
     locked (rank, thread, event, function, site, window, uid, cause, cause_function, cause_site, start_ns, until_ns,
             error_ns) AS (
         SELECT w.rank, w.thread, w.event, w.function, w.site, w.window, w.uid, h.rank, h.next_function, h.until_site,
                w.start_ns, max(h.until_ns), CASE WHEN w.node = h.node THEN 0 ELSE w.error_ns + h.error_ns END
         FROM ended e CROSS JOIN held w USING (rank, thread, event)
              CROSS JOIN holding h ON h.uid = w.uid AND h.place = e.peer AND h.released
                                      AND h.until_ns = iif(w.exclusive, e.of_any_ns, e.of_exclusive_ns)
         WHERE h.rank <> w.rank AND h.until_ns > w.start_ns AND h.end_ns < h.until_ns
         GROUP BY w.rank, w.thread, w.event)
SELECT k.kind, k.rank, k.thread, k.event, k.function, k.site, n.label, k.uid, k.cause, k.cause_function, k.cause_site,
       k.start_ns, k.until_ns - k.start_ns, k.error_ns
FROM last k LEFT JOIN labels n ON n.rank = k.rank AND n.object = k.window
WHERE k.cause <> k.rank AND k.end_ns >= k.until_ns AND k.until_ns > k.start_ns
UNION ALL
SELECT 'wait_for_lock', k.rank, k.thread, k.event, k.function, k.site, n.label, k.uid, k.cause, k.cause_function,
       k.cause_site, k.start_ns, k.until_ns - k.start_ns, k.error_ns
FROM locked k LEFT JOIN labels n ON n.rank = k.rank AND n.object = k.window;

CREATE VIEW window_parts ( -- each rank's part of the windows that are not dynamic: those have addresses as
        -- displacements
    id, -- id of the window in the run, as in object_keys
    rank, -- rank of the process
    object, -- the window: its number within the rank
    own_rank, -- rank in the window's communicator
    size_bytes, -- size of the part
    unit_bytes, -- displacement unit of the part
    node, -- node of the process
    clock_error_ns -- as in process
) AS
SELECT k.id, w.rank, w.object, c.own_rank, w.size_bytes, w.displacement_unit_bytes, p.node, p.clock_error_ns
FROM window w JOIN object_keys k ON k.rank = w.rank AND k.object = w.object
     JOIN communicator c ON c.rank = w.rank AND c.object = w.communicator
     JOIN process p ON p.rank = w.rank
WHERE w.flavor <> 'dynamic' AND w.displacement_unit_bytes > 0;

CREATE VIEW window_conflicts ( -- with CALLSIGN_CHECK=all or stop: two accesses to the same bytes of a window, of
        -- which one writes. One process makes both before a call completes the first one. Or two processes make them in
        -- one epoch, or at the same time: both had begun before a call that completes one of them. Or neither can have
        -- heard from the other since a call in which all met. Up to 2^20 accesses are compared
    id, -- id of the window in the run, as in object_keys
    rank, -- rank of the process with the access at `site`
    object, -- the window: its number within that rank
    kind, -- conflicting_access: one process; racing_access: two, of which `rank` is the higher one; unordered_access:
        -- two with shared locks that did not meet in time, but no MPI call orders them
    function, -- function of the access; NULL: unknown
    site, -- its call site; NULL: unknown
    bytes, -- bytes that both use
    other_rank, -- rank of the process with the other access
    other_site -- its call site; NULL: unknown
) AS
-- Completions that were not recorded would make accesses look pending.
WITH parts AS MATERIALIZED (SELECT * FROM window_parts),
     access AS MATERIALIZED (
         SELECT row_number() OVER (ORDER BY a.rank, a.began_ns) AS n, t.id, a.rank, a.object, a.target, a.function,
                a.site, a.lock, a.fence, a.nth, a.part, (m.id << 32) + a.meeting AS meeting, a.basic, a.basic_bytes,
                a.began_ns, o.own_rank, o.node, o.clock_error_ns, a.access IN ('read', 'write') AS here,
                iif(a.access IN ('read', 'write'), a.began_ns + 1, a.until_ns) AS until_ns,
                CASE a.access WHEN 'read' THEN 'get' WHEN 'write' THEN 'put' ELSE a.access END AS access,
                a.displacement * iif(a.access IN ('read', 'write'), 1, t.unit_bytes)
                + ifnull(a.offset_bytes, 0) AS first,
                a.displacement * iif(a.access IN ('read', 'write'), 1, t.unit_bytes)
                + ifnull(a.offset_bytes, 0) + a.span_bytes AS behind
         FROM window_access a JOIN parts o ON o.rank = a.rank AND o.object = a.object
              JOIN parts t ON t.id = o.id AND t.own_rank = a.target
              LEFT JOIN object_keys m ON m.rank = a.rank AND m.object = a.meeting_object
         WHERE a.access NOT IN ('exposure', 'exclusion') AND a.unit_bytes IN (0, t.unit_bytes)
               AND a.displacement BETWEEN 0 AND (1 << 40) AND a.rank NOT IN (SELECT rank FROM doubtful_processes)),
     exposure AS MATERIALIZED (
         SELECT o.id, o.own_rank, a.target AS origin, a.nth, a.fence AS post
         FROM window_access a JOIN parts o ON o.rank = a.rank AND o.object = a.object
         WHERE a.access = 'exposure'),
     excluded AS MATERIALIZED (
         SELECT DISTINCT o.id FROM window_access a JOIN parts o ON o.rank = a.rank AND o.object = a.object
         WHERE a.access = 'exclusion'),
     -- accesses that no call orders: those of a process, in a fence epoch, in an exposure epoch
     together (n, kind, epoch) AS (
         SELECT n, 'conflicting_access', (rank << 32) + part FROM access WHERE n < (1 << 20) AND NOT here
         UNION ALL SELECT n, 'racing_access', fence * 2 FROM access WHERE n < (1 << 20) AND fence IS NOT NULL
         UNION ALL SELECT n, 'unordered_access', meeting FROM access
                   WHERE n < (1 << 20) AND meeting IS NOT NULL AND id NOT IN (SELECT id FROM excluded)
         UNION ALL SELECT a.n, 'racing_access', e.post * 2 + 1
                   FROM access a JOIN exposure e ON e.id = a.id AND e.own_rank = a.target
                        AND e.origin = a.own_rank AND e.nth = a.nth
                   WHERE a.n < (1 << 20)),
     -- for each access, of those that begin before it in memory, the one that ends last
     ordered AS (
         SELECT g.kind, a.n, a.first,
                max(CASE a.access WHEN 'put' THEN (a.behind << 20) + a.n END) OVER before AS put,
                max(CASE a.access WHEN 'get' THEN (a.behind << 20) + a.n END) OVER before AS got,
                max(CASE a.access WHEN 'accumulate' THEN (a.behind << 20) + a.n END) OVER before AS accumulated,
                max(CASE a.access WHEN 'fetch' THEN (a.behind << 20) + a.n END) OVER before AS fetched
         FROM together g JOIN access a ON a.n = g.n
         WINDOW before AS (PARTITION BY g.kind, g.epoch, a.id, a.target ORDER BY a.first, a.n
                           ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)),
     begun AS MATERIALIZED (
         SELECT n, id, target, row_number() OVER (PARTITION BY id, target ORDER BY began_ns, n) AS turn
         FROM access WHERE until_ns > began_ns),
     pair (kind, n, other) AS (
         SELECT kind, n, put & ((1 << 20) - 1) FROM ordered WHERE put >> 20 > first
         UNION ALL SELECT kind, n, got & ((1 << 20) - 1) FROM ordered WHERE got >> 20 > first
         UNION ALL SELECT kind, n, accumulated & ((1 << 20) - 1) FROM ordered WHERE accumulated >> 20 > first
         UNION ALL SELECT kind, n, fetched & ((1 << 20) - 1) FROM ordered WHERE fetched >> 20 > first
         -- each access and the 16 that began before it
         UNION ALL SELECT 'at once', a.n, b.n
                   FROM begun a CROSS JOIN json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]') back
                        CROSS JOIN begun b ON b.id = a.id AND b.target = a.target AND b.turn = a.turn - back.value)
SELECT DISTINCT a.id, a.rank, a.object,
       CASE WHEN p.kind = 'at once'
                 -- they met in time as well
                 OR (p.kind = 'unordered_access'
                     AND a.began_ns + iif(a.node = b.node, 0, a.clock_error_ns + b.clock_error_ns) < b.until_ns
                     AND b.began_ns + iif(a.node = b.node, 0, a.clock_error_ns + b.clock_error_ns) < a.until_ns)
            THEN 'racing_access' ELSE p.kind END,
       f.name, nullif(a.site, 0), min(a.behind, b.behind) - max(a.first, b.first), b.rank, nullif(b.site, 0)
FROM pair p JOIN access a ON a.n = max(p.n, p.other) JOIN access b ON b.n = min(p.n, p.other)
     LEFT JOIN function f ON f.function = a.function
WHERE (a.rank = b.rank) = (p.kind = 'conflicting_access')
      AND min(a.behind, b.behind) > max(a.first, b.first)
      AND NOT (a.access IN ('get', 'fetch') AND b.access IN ('get', 'fetch'))
      -- accumulations of equal datatypes are atomic
      AND NOT (a.access IN ('accumulate', 'fetch') AND b.access IN ('accumulate', 'fetch') AND a.basic IS b.basic
               AND (a.basic_bytes IS NULL OR (a.first - b.first) % a.basic_bytes = 0))
      AND (p.kind <> 'at once'
           -- an exclusive lock orders them
           OR (NOT (a.lock > 0 AND b.lock > 0 AND max(a.lock, b.lock) = 2)
               AND a.began_ns + iif(a.node = b.node, 0, a.clock_error_ns + b.clock_error_ns) < b.until_ns
               AND b.began_ns + iif(a.node = b.node, 0, a.clock_error_ns + b.clock_error_ns) < a.until_ns));
