-- The views of events in SQL alone: an oracle for db/trace/event_messages.c and db/trace/event_collectives.c.

CREATE TEMP VIEW sql_message_pairs (
    id, source, dest, tag, nth, bytes, communicator, source_thread, source_event, send_function, send_site,
    send_start_ns, send_end_ns, posted_ns, posted_function, posted_site, dest_thread, dest_event, receive_function,
    receive_site, receive_start_ns, receive_end_ns, error_ns) AS
WITH said (rank, thread, event, object, direction, peer, tag, nth, bytes, posted_thread, posted) AS (
         SELECT rank, thread, event, object, direction, peer, tag, nth, bytes, thread, event FROM event
         WHERE nth IS NOT NULL
         UNION ALL
         SELECT rank, thread, event, communicator, direction, peer, tag, nth, bytes, coalesce(posted_thread, thread),
                coalesce(posted, event)
         FROM event_message WHERE nth IS NOT NULL AND event IS NOT NULL),
     link (rank, object, direction, peer, source, dest) AS MATERIALIZED (
         SELECT rank, object, direction, peer, max(source), max(dest) FROM traffic
         WHERE direction IN ('send', 'receive') AND peer >= 0 GROUP BY 1, 2, 3, 4),
     side (uid, source, dest, tag, nth, direction, rank, thread, event, object, bytes, posted_thread,
           posted) AS MATERIALIZED (
         SELECT o.uid, l.source, l.dest, s.tag, s.nth, s.direction, s.rank, s.thread, s.event, s.object, s.bytes,
                s.posted_thread, s.posted
         FROM said s JOIN object o ON o.rank = s.rank AND o.object = s.object AND o.uid IS NOT NULL
              JOIN link l ON l.rank = s.rank AND l.object = s.object AND l.direction = s.direction AND l.peer = s.peer
         WHERE l.source IS NOT NULL AND l.dest IS NOT NULL)
SELECT s.uid, s.source, s.dest, s.tag, s.nth, r.bytes, s.object, s.thread, s.event, se.function, se.site, se.start_ns,
       se.start_ns + se.duration_ns, p.start_ns, p.function, p.site, r.thread, r.event, re.function, re.site,
       re.start_ns, re.start_ns + re.duration_ns,
       CASE WHEN sp.node = rp.node THEN 0 ELSE sp.clock_error_ns + rp.clock_error_ns END
FROM side s JOIN side r ON r.direction = 'receive' AND r.uid = s.uid AND r.source = s.source AND r.dest = s.dest
                           AND r.tag = s.tag AND r.nth = s.nth
     JOIN event se ON se.rank = s.rank AND se.thread = s.thread AND se.event = s.event
     JOIN event re ON re.rank = r.rank AND re.thread = r.thread AND re.event = r.event
     JOIN event p ON p.rank = r.rank AND p.thread = r.posted_thread AND p.event = r.posted
     JOIN process sp ON sp.rank = s.rank JOIN process rp ON rp.rank = r.rank
WHERE s.direction = 'send'
      AND (coalesce(r.bytes, 0) = coalesce(s.bytes, 0)
           OR se.function IN (SELECT function FROM function WHERE transfer = 'both'));

CREATE TEMP VIEW sql_collective_times (
    object_name, id, collective, function, site, members, first_ns, last_ns, last_rank, left_ns, wait_ns, error_ns) AS
WITH call (uid, collective, rank, object, function, site, start_ns, end_ns, size, node, error_ns) AS MATERIALIZED (
         SELECT o.uid, e.collective, e.rank, e.object, e.function, e.site, e.start_ns, e.start_ns + e.duration_ns,
                c.size + coalesce(c.remote_size, 0), p.node, p.clock_error_ns
         FROM event e JOIN object o ON o.rank = e.rank AND o.object = e.object AND o.uid IS NOT NULL
              JOIN process p ON p.rank = e.rank
              LEFT JOIN window w ON w.rank = e.rank AND w.object = e.object
              JOIN communicator c ON c.rank = e.rank
                                     AND c.object = CASE o.kind WHEN 'window' THEN w.communicator
                                                         WHEN 'file' THEN o.parent ELSE e.object END
         WHERE e.collective IS NOT NULL),
     last (uid, collective, last_ns, rank, object, function, site) AS MATERIALIZED (
         SELECT uid, collective, max(start_ns), rank, object, function, site FROM call GROUP BY uid, collective),
     whole (uid, collective, members, first_ns, left_ns, wait_ns, error_ns) AS MATERIALIZED (
         SELECT c.uid, c.collective, count(DISTINCT c.rank), min(c.start_ns), max(c.end_ns),
                sum(max(0, min(l.last_ns, c.end_ns) - c.start_ns)),
                CASE WHEN count(DISTINCT c.node) = 1 THEN 0
                     WHEN count(c.error_ns) = count(*) THEN 2 * max(c.error_ns) END
         FROM call c JOIN last l USING (uid, collective)
         GROUP BY c.uid, c.collective HAVING count(DISTINCT c.rank) = min(c.size) AND min(c.size) > 1)
SELECT n.label, l.uid, l.collective, f.name, l.site, w.members, w.first_ns, l.last_ns, l.rank, w.left_ns, w.wait_ns,
       w.error_ns
FROM last l JOIN whole w USING (uid, collective) LEFT JOIN function f ON f.function = l.function
     LEFT JOIN labels n ON n.rank = l.rank AND n.object = l.object
ORDER BY l.last_ns;

CREATE TEMP VIEW sql_wait_states (
    kind, rank, thread, event, function, site, object_name, id, cause, cause_function, cause_site, start_ns,
    wait_ns, error_ns) AS
WITH member (uid, collective, rank, thread, event, object, function, site, peer, own, start_ns, end_ns, node, error_ns,
             part) AS MATERIALIZED (
         SELECT o.uid, e.collective, e.rank, e.thread, e.event, e.object, e.function, e.site, e.peer,
                CASE WHEN c.remote_size IS NULL THEN c.own_rank END, e.start_ns, e.start_ns + e.duration_ns, p.node,
                p.clock_error_ns,
                CASE WHEN c.remote_size IS NULL OR e.peer = -2 THEN NULL WHEN e.peer IS NULL THEN g.uid
                     ELSE e.peer = -3 END
         FROM event e JOIN object o ON o.rank = e.rank AND o.object = e.object AND o.uid IS NOT NULL
              JOIN process p ON p.rank = e.rank
              LEFT JOIN window w ON w.rank = e.rank AND w.object = e.object
              JOIN communicator c ON c.rank = e.rank
                                     AND c.object = CASE o.kind WHEN 'window' THEN w.communicator
                                                         WHEN 'file' THEN o.parent ELSE e.object END
              JOIN function f ON f.function = e.function AND f.mode = 'blocking'
              LEFT JOIN object g ON c.remote_size IS NOT NULL AND g.rank = o.rank AND g.object = o.parent
         WHERE e.collective IS NOT NULL),
     last_of_part (uid, collective, part, rank, function, site, start_ns, node, error_ns) AS MATERIALIZED (
         SELECT uid, collective, part, rank, function, site, max(start_ns), node, error_ns FROM member
         WHERE part IS NOT NULL GROUP BY uid, collective, part),
     started (rank, thread, message, event, communicator, dest, tag, nth) AS MATERIALIZED (
         SELECT s.rank, s.thread, s.message, s.event, s.communicator, t.dest, s.tag, s.nth
         FROM event_message s
              CROSS JOIN (SELECT rank, object, peer, max(dest) AS dest FROM traffic
                          WHERE direction = 'send' AND peer >= 0 GROUP BY 1, 2, 3) t
                         ON t.rank = s.rank AND t.object = s.communicator AND t.peer = s.peer
         WHERE s.direction = 'send'),
     completion (rank, thread, event, posted_thread, posted, communicator, dest, tag, nth, lone) AS MATERIALIZED (
         SELECT c.rank, c.thread, c.event, c.posted_thread, CAST(coalesce(s.event, c.posted) AS INT), s.communicator,
                s.dest, s.tag, s.nth, c.entry = c.event - 1 AND EXISTS (SELECT 1 FROM event b WHERE b.rank = c.rank
                                                         AND b.thread = c.thread AND b.event = c.event - 2)
         FROM event_completion c LEFT JOIN started s ON s.rank = c.rank AND s.thread = c.posted_thread
                                                        AND s.message = c.posted
         WHERE c.event IS NOT NULL),
     sent (kind, rank, thread, event, until_ns, source, communicator, id, cause, function, site, cause_function,
           cause_site, start_ns, end_ns, error_ns) AS (
         SELECT 'late_receiver', m.source, e.thread, e.event, m.posted_ns, m.source, m.communicator, m.id, m.dest,
                e.function, e.site, m.posted_function, m.posted_site, e.start_ns, e.start_ns + e.duration_ns,
                m.error_ns
         FROM sql_message_pairs m
              CROSS JOIN completion c ON c.rank = m.source AND c.posted_thread = m.source_thread
                                         AND c.posted = m.source_event
                                         AND (c.dest IS NULL OR c.dest = m.dest AND c.tag = m.tag
                                              AND c.nth = m.nth AND c.communicator = m.communicator)
              CROSS JOIN event e ON e.rank = c.rank AND e.thread = c.thread AND e.event = c.event
              JOIN function f ON f.function = e.function AND f.waits IS NOT NULL
              JOIN function s ON s.function = m.send_function
         WHERE (f.request_act = 'complete-one' OR f.request_act = 'complete-all' AND c.lone OR s.synchronous)
               AND e.start_ns + e.duration_ns >= m.posted_ns AND m.posted_ns > e.start_ns),
     late (earlier_ns, dest, dest_thread, dest_event, send_start_ns, source, communicator, id, receive_function,
           receive_site, send_function, send_site, receive_start_ns, receive_end_ns, error_ns) AS (
         SELECT max(posted_ns) OVER (PARTITION BY id, source, dest ORDER BY send_start_ns
                                     ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
                dest, dest_thread, dest_event, send_start_ns, source, communicator, id, receive_function, receive_site,
                send_function, send_site, receive_start_ns, receive_end_ns, error_ns
         FROM sql_message_pairs),
     received (kind, rank, thread, event, until_ns, source, communicator, id, cause, function, site, cause_function,
               cause_site, start_ns, end_ns, error_ns) AS (
         SELECT CASE WHEN m.earlier_ns >= m.receive_end_ns THEN 'wrong_order' ELSE 'late_sender' END, m.dest,
                m.dest_thread, m.dest_event, m.send_start_ns, m.source, m.communicator, m.id, m.source,
                m.receive_function, m.receive_site, m.send_function, m.send_site, m.receive_start_ns, m.receive_end_ns,
                m.error_ns
         FROM late m JOIN function f ON f.function = m.receive_function AND f.waits IS NOT NULL
         WHERE m.send_start_ns > m.receive_start_ns),
     probe (rank, thread, event, id, function, site, source, tag, start_ns, end_ns) AS MATERIALIZED (
         SELECT e.rank, e.thread, e.event, o.uid, e.function, e.site, t.source, nullif(e.tag, -1), e.start_ns,
                e.start_ns + e.duration_ns
         FROM event e JOIN function f ON f.function = e.function AND f.waits = 'receive'
              JOIN object o ON o.rank = e.rank AND o.object = e.object AND o.uid IS NOT NULL
              LEFT JOIN (SELECT rank, object, peer, max(source) AS source FROM traffic
                         WHERE direction = 'receive' AND peer >= 0 GROUP BY 1, 2, 3) t
                        ON t.rank = e.rank AND t.object = e.object AND t.peer = e.peer
         WHERE e.direction IS NULL AND (e.peer = -1 OR t.source IS NOT NULL)),
     followed (rank, thread, event, id, function, site, source, tag, start_ns, end_ns, next_ns) AS MATERIALIZED (
         SELECT *, CAST(min(iif(event IS NULL, end_ns, NULL)) OVER (PARTITION BY rank, thread, id ORDER BY end_ns DESC
                                                                    ROWS UNBOUNDED PRECEDING) AS INT)
         FROM (SELECT * FROM probe
               UNION ALL
               SELECT dest, dest_thread, NULL, id, NULL, NULL, NULL, NULL, NULL, posted_ns FROM sql_message_pairs
               WHERE (SELECT 1 FROM probe LIMIT 1))),
     taken (rank, thread, event, taker, taken_ns) AS MATERIALIZED (
         SELECT c.rank, c.posted_thread, c.posted, c.thread, t.start_ns
         FROM event_completion c JOIN event e ON e.rank = c.rank AND e.thread = c.posted_thread AND e.event = c.posted
              JOIN function f ON f.function = e.function AND f.waits = 'receive'
              JOIN event t ON t.rank = c.rank AND t.thread = c.thread AND t.event = c.event),
     ahead (rank, thread, event, id, function, site, source, tag, start_ns, end_ns, taker, next_ns) AS MATERIALIZED (
         SELECT p.rank, p.thread, p.event, p.id, p.function, p.site, p.source, p.tag, p.start_ns, p.end_ns,
                CAST(coalesce(t.taker, p.thread) AS INT), CAST(coalesce(t.taken_ns, p.next_ns) AS INT)
         FROM followed p LEFT JOIN taken t ON t.rank = p.rank AND t.thread = p.thread AND t.event = p.event
         WHERE p.event IS NOT NULL),
     probed (kind, rank, thread, event, until_ns, source, communicator, id, cause, function, site, cause_function,
             cause_site, start_ns, end_ns, error_ns) AS (
         SELECT 'late_sender', p.rank, p.thread, p.event, m.send_start_ns, m.source, m.communicator, m.id, m.source,
                p.function, p.site, m.send_function, m.send_site, p.start_ns, p.end_ns, m.error_ns
         FROM ahead p JOIN sql_message_pairs m ON m.dest = p.rank AND m.dest_thread = p.taker AND m.id = p.id
                                        AND m.posted_ns = p.next_ns
         WHERE m.source = coalesce(p.source, m.source) AND m.tag = coalesce(p.tag, m.tag)
               AND m.send_start_ns <= p.end_ns),
     completed (kind, rank, thread, event, until_ns, source, communicator, id, cause, function, site, cause_function,
                cause_site, start_ns, end_ns, error_ns) AS MATERIALIZED (
         SELECT kind, rank, thread, event, max(until_ns), source, communicator, id, cause, function, site,
                cause_function, cause_site, start_ns, end_ns, error_ns
         FROM (SELECT * FROM received UNION ALL SELECT * FROM probed UNION ALL SELECT * FROM sent)
         GROUP BY rank, thread, event),
     found (kind, rank, thread, event, function, site, object_name, id, cause, cause_function, cause_site, start_ns,
            wait_ns, error_ns) AS (
         SELECT c.kind, c.rank, c.thread, c.event, f.name, c.site, n.label, c.id, c.cause, o.name, c.cause_site,
                c.start_ns, min(c.until_ns, c.end_ns) - c.start_ns, c.error_ns
         FROM completed c JOIN function f ON f.function = c.function
              LEFT JOIN function o ON o.function = c.cause_function
              LEFT JOIN labels n ON n.rank = c.source AND n.object = c.communicator
         WHERE c.cause <> c.rank
         UNION ALL
         SELECT kind, rank, thread, event, function, site, object_name, id, cause, cause_function, cause_site, start_ns,
                wait_ns, error_ns
         FROM window_waits
         UNION ALL
         SELECT 'late_receiver', m.source, m.source_thread, m.source_event, f.name, m.send_site, n.label, m.id,
                m.dest, p.name, m.posted_site, m.send_start_ns, m.posted_ns - m.send_start_ns, m.error_ns
         FROM sql_message_pairs m
              JOIN function f ON f.function = m.send_function AND f.waits IN ('send', 'synchronous-send')
              LEFT JOIN function p ON p.function = m.posted_function
              LEFT JOIN labels n ON n.rank = m.source AND n.object = m.communicator
         WHERE m.source <> m.dest AND m.posted_ns > m.send_start_ns
               AND m.send_end_ns >= m.posted_ns
         UNION ALL
         SELECT CASE WHEN f.class = 'one-sided' THEN 'wait_at_fence' WHEN f.transfer IS NULL THEN 'wait_at_barrier'
                     ELSE 'wait_at_nxn' END,
                m.rank, m.thread, m.event, f.name, m.site, c.object_name, m.uid, c.last_rank, c.function, c.site,
                m.start_ns, c.last_ns - m.start_ns, c.error_ns
         FROM sql_collective_times c JOIN member m ON m.uid = c.id AND m.collective = c.collective
              JOIN function f ON f.function = m.function AND f.collective = 'all' AND f.synchronizing
         WHERE m.rank <> c.last_rank AND m.end_ns >= c.last_ns AND m.own IS NOT NULL
         UNION ALL
         SELECT CASE f.collective WHEN 'from-root' THEN 'late_broadcast' WHEN 'to-root' THEN 'early_reduce'
                     ELSE CASE WHEN f.transfer IS NULL THEN 'wait_at_barrier' ELSE 'wait_at_nxn' END END,
                m.rank, m.thread, m.event, f.name, m.site, n.label, m.uid, r.rank, o.name, r.site, m.start_ns,
                r.start_ns - m.start_ns, CASE WHEN m.node = r.node THEN 0 ELSE m.error_ns + r.error_ns END
         FROM last_of_part r JOIN member m ON m.uid = r.uid AND m.collective = r.collective AND m.part <> r.part
              JOIN function f ON f.function = m.function
                   AND CASE f.collective WHEN 'all' THEN f.synchronizing AND m.peer IS NULL
                                         WHEN 'from-root' THEN m.peer >= 0 WHEN 'to-root' THEN m.peer = -3 END
              LEFT JOIN function o ON o.function = r.function
              LEFT JOIN labels n ON n.rank = m.rank AND n.object = m.object
         WHERE m.end_ns >= r.start_ns
         UNION ALL
         SELECT 'late_broadcast', m.rank, m.thread, m.event, f.name, m.site, n.label, m.uid, r.rank, f.name, r.site,
                m.start_ns, r.start_ns - m.start_ns,
                CASE WHEN m.node = r.node THEN 0 ELSE m.error_ns + r.error_ns END
         FROM member m JOIN function f ON f.function = m.function AND f.collective = 'from-root'
              JOIN member r ON r.uid = m.uid AND r.collective = m.collective AND r.own = m.peer AND r.rank <> m.rank
              LEFT JOIN labels n ON n.rank = m.rank AND n.object = m.object
         WHERE m.end_ns >= r.start_ns
         UNION ALL
         SELECT 'early_reduce', m.rank, m.thread, m.event, f.name, m.site, c.object_name, m.uid, c.last_rank,
                c.function, c.site, m.start_ns, c.last_ns - m.start_ns, c.error_ns
         FROM sql_collective_times c JOIN member m ON m.uid = c.id AND m.collective = c.collective AND m.own = m.peer
              JOIN function f ON f.function = m.function AND f.collective = 'to-root'
         WHERE m.rank <> c.last_rank AND m.end_ns >= c.last_ns
         UNION ALL
         SELECT 'early_scan', rank, thread, event, name, site, label, uid, lower, lower_name, lower_site, start_ns,
                max(lower_ns) - start_ns, error_ns
         FROM (SELECT m.rank, m.thread, m.event, f.name, m.site, n.label, m.uid, r.rank AS lower, f.name AS lower_name,
                      r.site AS lower_site, m.start_ns, r.start_ns AS lower_ns, m.end_ns,
                      CASE WHEN m.node = r.node THEN 0 ELSE m.error_ns + r.error_ns END AS error_ns
               FROM member m JOIN function f ON f.function = m.function AND f.collective = 'lower-ranks'
                    JOIN member r ON r.uid = m.uid AND r.collective = m.collective AND r.own < m.own
                    LEFT JOIN labels n ON n.rank = m.rank AND n.object = m.object)
         GROUP BY rank, thread, event HAVING end_ns >= max(lower_ns))
SELECT * FROM found WHERE wait_ns > error_ns AND (id IS NULL OR id NOT IN (SELECT id FROM bypassed_objects))
ORDER BY start_ns, rank;

CREATE TEMP VIEW sql_wait_sums AS
SELECT kind, rank, function, site, object_name, id, cause, cause_function, cause_site, count(*), sum(wait_ns)
FROM sql_wait_states GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9;
