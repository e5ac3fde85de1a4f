-- The figures of one run for callsign compare: one row for each figure of the whole run, and of each item in it.
--
-- Items are joined by names, because numbers of objects and call sites differ from run to run. Names of communicators
-- may contain numbers that differ: level 0 has the name itself, level 1 (only if it differs) the name with # for
-- numbers. Leaks are only counted if all ranks finalized: a rank that died had no chance to free its objects.
WITH place (site, caller) AS MATERIALIZED (SELECT site, caller(site) FROM site),
     -- The number of calls of these functions depends on how long the program waits.
     polling (function, polls) AS (
         SELECT function, waits IS 'any-request'
                          OR (waits IS NULL AND mode IS NULL
                              AND (class IS 'completion' OR (class IS 'point-to-point' AND transfer IS 'receive')))
         FROM function),
     entity (rank, object, uid, kind, name, pattern, created_in) AS MATERIALIZED (
         SELECT rank, object, uid, kind, name, pattern(name), created_in
         FROM (SELECT o.rank, o.object, o.uid, o.kind,
                      CASE WHEN coalesce(o.name, '') = ''
                           THEN '(' || o.kind || coalesce(', from ' || f.name, '') || ')'
                           WHEN o.name_origin = 'derived' THEN lineage(o.name) ELSE o.name END AS name,
                      -- names of the program identify the object alone
                      CASE WHEN coalesce(o.name, '') = '' OR o.name_origin = 'derived' THEN coalesce(p.caller, '')
                           ELSE '' END AS created_in
               FROM object o LEFT JOIN function f ON f.function = o.function LEFT JOIN place p ON p.site = o.site
               WHERE o.kind IN ('communicator', 'window', 'file'))),
     level (level) AS (VALUES (0), (1)),
     named (rank, object, uid, kind, level, communicator, pattern, created_in) AS MATERIALIZED (
         SELECT e.rank, e.object, e.uid, e.kind, l.level, CASE l.level WHEN 0 THEN e.name ELSE e.pattern END,
                e.pattern, e.created_in
         FROM entity e JOIN level l ON l.level = 0 OR e.pattern <> e.name),
     call (rank, object, function, lifecycle, polls, caller, calls, seconds, bytes) AS MATERIALIZED (
         SELECT t.rank, coalesce(nullif(t.object, 0), t.communicator), t.name, t.lifecycle, coalesce(p.polls, 0),
                coalesce(s.caller, ''), sum(t.calls + t.open), total(t.time_ns) / 1e9,
                sum(coalesce(t.sent_bytes, 0) + coalesce(t.received_bytes, 0))
         FROM call_times t LEFT JOIN polling p ON p.function = t.function LEFT JOIN place s ON s.site = t.site
         GROUP BY 1, 2, 3, 4, 5, 6),
     spent (rank, level, kind, communicator, pattern, created_in, function, caller, polls, calls, seconds,
            bytes) AS MATERIALIZED (
         SELECT c.rank, coalesce(n.level, 0), coalesce(n.kind, ''), coalesce(n.communicator, ''),
                coalesce(n.pattern, ''), coalesce(n.created_in, ''), c.function, c.caller, max(c.polls), sum(c.calls),
                sum(c.seconds), sum(c.bytes)
         FROM call c LEFT JOIN named n ON n.rank = c.rank AND n.object = c.object
         GROUP BY 1, 2, 3, 4, 5, 6, 7, 8),
     whole (rank, calls, seconds, bytes) AS MATERIALIZED (
         SELECT rank, sum(calls), total(CASE WHEN NOT lifecycle THEN seconds END), sum(bytes) FROM call GROUP BY rank),
     measure (metric) AS (VALUES ('time'), ('calls'), ('bytes')),
     late (uid, kind, function, seconds, members) AS MATERIALIZED (
         SELECT id, kind, function, total(waiting_seconds), sum(size * communicators) FROM balance
         WHERE latest_rank IS NOT NULL GROUP BY 1, 2, 3),
     known (uid, kind, level, communicator, pattern, created_in) AS MATERIALIZED (
         SELECT uid, kind, level, min(communicator), min(pattern), min(created_in) FROM named WHERE uid IS NOT NULL
         GROUP BY 1, 2, 3),
     made (rank, kind, function, caller, objects) AS MATERIALIZED (
         SELECT o.rank, o.kind, coalesce(f.name, ''), coalesce(p.caller, ''), count(*)
         FROM program_objects o LEFT JOIN function f ON f.function = o.function LEFT JOIN place p ON p.site = o.site
         GROUP BY 1, 2, 3, 4),
     left_over (rank, kind, function, caller, objects) AS MATERIALIZED (
         SELECT l.rank, l.kind, coalesce(l.created_by, ''), coalesce(p.caller, ''), count(*)
         FROM leaks l LEFT JOIN place p ON p.site = l.site
         WHERE NOT EXISTS (SELECT 1 FROM process WHERE outcome <> 'finalized') GROUP BY 1, 2, 3, 4),
     -- the code before a call; the others of its line are not told apart, as for calls
     code (rank, function, caller, seconds) AS MATERIALIZED (
         SELECT s.rank, f.name, coalesce(p.caller, ''), total(s.time_ns) / 1e9
         FROM stretch s JOIN function f ON f.function = s.function AND f.class <> 'lifecycle'
              LEFT JOIN place p ON p.site = s.site
         GROUP BY 1, 2, 3),
     about (metric, value) AS (
         SELECT 'elapsed', seconds FROM run_summary
         UNION ALL SELECT 'ranks', ranks FROM run_summary
         UNION ALL SELECT 'nodes', nodes FROM run_summary
         UNION ALL SELECT 'cores', cores FROM run_placement
         UNION ALL SELECT 'load', load FROM run_placement
         UNION ALL SELECT 'bound', bound FROM run_placement WHERE bindings
         UNION ALL SELECT 'wait', sum(seconds) FROM late WHERE EXISTS (SELECT 1 FROM late)
         UNION ALL SELECT 'remote_bytes', coalesce(sum(bytes), 0) FROM traffic_distances WHERE distance = 'remote')
SELECT 'item' AS scope, s.level, m.metric, s.kind, s.communicator, s.pattern, s.created_in, s.function, s.caller,
       max(s.polls) AS polls,
       CASE m.metric WHEN 'time' THEN sum(s.seconds) WHEN 'calls' THEN sum(s.calls) ELSE sum(s.bytes) END AS total,
       median(CASE m.metric WHEN 'time' THEN s.seconds WHEN 'calls' THEN s.calls ELSE s.bytes END) AS per_rank
FROM spent s, measure m GROUP BY s.level, m.metric, s.kind, s.communicator, s.created_in, s.function, s.caller
UNION ALL
SELECT 'item', k.level, 'wait', k.kind, k.communicator, k.pattern, k.created_in, l.function, '', 0, sum(l.seconds),
       sum(l.seconds) / sum(l.members)
FROM late l JOIN known k ON k.uid = l.uid AND k.kind = l.kind
GROUP BY k.level, k.kind, k.communicator, k.created_in, l.function
UNION ALL
SELECT 'item', 0, 'code', '', '', '', '', function, caller, 0, sum(seconds), median(seconds) FROM code
GROUP BY function, caller
UNION ALL
SELECT 'run', 0, 'code', '', '', '', '', '', '', 0, sum(seconds), median(seconds)
FROM (SELECT sum(seconds) AS seconds FROM code GROUP BY rank) HAVING count(*) > 0
UNION ALL
SELECT 'item', 0, 'objects', kind, '', '', '', function, caller, 0, sum(objects), median(objects) FROM made
GROUP BY kind, function, caller
UNION ALL
SELECT 'item', 0, 'leaks', kind, '', '', '', function, caller, 0, sum(objects), median(objects) FROM left_over
GROUP BY kind, function, caller
UNION ALL
SELECT 'run', 0, m.metric, '', '', '', '', '', '', 0,
       CASE m.metric WHEN 'time' THEN sum(w.seconds) WHEN 'calls' THEN sum(w.calls) ELSE sum(w.bytes) END,
       median(CASE m.metric WHEN 'time' THEN w.seconds WHEN 'calls' THEN w.calls ELSE w.bytes END)
FROM whole w, measure m GROUP BY m.metric
UNION ALL
SELECT 'run', 0, 'objects', '', '', '', '', '', '', 0, coalesce(sum(objects), 0), coalesce(median(objects), 0)
FROM (SELECT sum(objects) AS objects FROM made GROUP BY rank)
UNION ALL
SELECT 'run', 0, 'leaks', '', '', '', '', '', '', 0, coalesce(sum(objects), 0), coalesce(median(objects), 0)
FROM (SELECT sum(objects) AS objects FROM left_over GROUP BY rank)
UNION ALL
SELECT 'run', 0, metric, '', '', '', '', '', '', 0, value,
       CASE WHEN metric IN ('wait', 'remote_bytes') THEN value * 1.0 / (SELECT count(*) FROM process) ELSE value END
FROM about WHERE value IS NOT NULL
