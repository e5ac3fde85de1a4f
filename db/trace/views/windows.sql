-- Views: waits of one-sided communication, from the recorded events.

CREATE VIEW window_waits ( -- calls that waited for the epoch or the lock of another rank: a part of wait_states
    kind, -- late_post: MPI_Win_start or MPI_Win_complete began before a target called MPI_Win_post. late_complete:
        -- MPI_Win_wait began before an origin called MPI_Win_complete. wait_for_lock: MPI_Win_lock returned only when
        -- another rank unlocked the same target, and one of both locks was exclusive
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
     -- until_ns: when the same rank begins to unlock the target: until then it surely holds the lock
     taken (rank, window, peer, thread, event, function, act, site, start_ns, end_ns, next, next_function, until_ns,
            until_site, exclusive) AS MATERIALIZED (
         SELECT e.rank, e.object, e.peer, e.thread, e.event, f.name, f.epoch_act, e.site, e.start_ns,
                e.start_ns + e.duration_ns, lead(f.epoch_act) OVER calls, lead(f.name) OVER calls,
                lead(e.start_ns) OVER calls, lead(e.site) OVER calls,
                a.rank IS NOT NULL
         FROM event e JOIN function f ON f.function = e.function AND f.epoch_act IN ('lock', 'unlock')
              LEFT JOIN alone a ON a.rank = e.rank AND a.thread = e.thread AND a.event = e.event
         WHERE e.peer >= 0
         WINDOW calls AS (PARTITION BY e.rank, e.object, e.peer ORDER BY e.start_ns)),
     held AS MATERIALIZED (
         SELECT t.*, m.uid, m.node, m.error_ns FROM taken t JOIN member m USING (rank, window)
         WHERE t.act = 'lock'),
     -- the last moments before the lock was taken at which another lock that excludes it ended
     ended (uid, peer, rank, thread, event, at_ns, of_any_ns, of_exclusive_ns) AS (
         SELECT uid, peer, rank, thread, event, at_ns, max(iif(unlocks, at_ns, NULL)) OVER before,
                max(iif(unlocks = 2, at_ns, NULL)) OVER before
         FROM (SELECT uid, peer, rank, NULL AS thread, NULL AS event, until_ns AS at_ns, 1 + exclusive AS unlocks
               FROM held WHERE next = 'unlock'
               UNION ALL
               SELECT uid, peer, rank, thread, event, end_ns, 0 FROM held)
         WINDOW before AS (PARTITION BY uid, peer ORDER BY at_ns ROWS UNBOUNDED PRECEDING)),
     locked (rank, thread, event, function, site, window, uid, cause, cause_function, cause_site, start_ns, until_ns,
             error_ns) AS (
         SELECT w.rank, w.thread, w.event, w.function, w.site, w.window, w.uid, h.rank, h.next_function, h.until_site,
                w.start_ns, h.until_ns, CASE WHEN w.node = h.node THEN 0 ELSE w.error_ns + h.error_ns END
         FROM ended e CROSS JOIN held w USING (rank, thread, event)
              CROSS JOIN held h ON h.uid = w.uid AND h.peer = w.peer AND h.next = 'unlock'
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
