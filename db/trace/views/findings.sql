-- Views: findings about a run, in typed rows. cli/report_*.c has the sentences.

CREATE VIEW findings ( -- findings about the run: one row for each
    kind, -- see recording_findings; for processes without MPI_Finalize: died, exited, aborted,
        -- running, died_first; see also program_findings, traffic_findings, tag_findings,
        -- attribute_findings and placement_findings; collective_differs: check_findings; message_differs:
        -- message_findings; error_returned: failed_calls; late_sender, ...: wait_findings. callsign report adds
        -- deadlock, which no view can prove
    severity, -- 1: error, 2: warning, 3: note
    ranks, -- ranks concerned, as ranges: "0-3,7"; NULL: the run
    rank, -- the rank that stands out
    other_rank, -- mpi_percent, other_percent: rank with the most
    communicator, -- name of the communicator, window or file, or how it was created
    communicator_uid, -- its id, as in run_communicators; for similar ones in one row that of the first. NULL:
        -- none, or unknown
    function, -- MPI function
    site, -- call site
    subject, -- kind of the objects, the attribute, libraries, nodes; collective_differs, message_differs: what differs;
        -- error_returned: the error; died, ...:
        -- inside or outside the function; died_first: sure or likely
    answer, -- about attributes: the MPI's answer, or the error
    seconds, -- waiting time, difference of clocks, or time since the start
    percent, -- share of the MPI time without Init and Finalize; share of the data
    bytes, -- data in messages and transfers
    messages, -- how many
    count, -- number of objects, calls, pairs of ranks, processes, nodes, moves, or facts
    least, -- least of several ranks; first tag of a range; message_differs: tag; collective_differs: number of the
        -- call; remaining error of clocks in seconds; cpu_quota: processors
    median, -- median of several ranks
    most -- most of several ranks; the largest tag; collective_differs: end of a range; oversubscribed:
        -- ranks for each core
) AS
WITH ended (outcome, function, communicator, uid, site, inside, rank, seconds) AS MATERIALIZED (
         SELECT outcome, function, object_name, communicator_uid, site, inside, rank, seconds FROM endings
         WHERE rank >= 0),
     island (outcome, function, communicator, site, inside, first, last) AS (
         SELECT outcome, function, communicator, site, inside, min(rank), max(rank)
         FROM (SELECT *, rank - dense_rank() OVER (PARTITION BY outcome, function, communicator, site, inside
                                                   ORDER BY rank) AS island FROM ended)
         GROUP BY outcome, function, communicator, site, inside, island ORDER BY 6),
     listed (outcome, function, communicator, site, inside, ranks, first) AS (
         SELECT outcome, function, communicator, site, inside,
                group_concat(first || CASE last - first WHEN 0 THEN '' WHEN 1 THEN ',' || last ELSE '-' || last END,
                             ','),
                min(first)
         FROM island GROUP BY outcome, function, communicator, site, inside)
SELECT * FROM recording_findings
UNION ALL
SELECT 'collective_differs', 1, ranks, rank, NULL, communicator, communicator_uid, function, site, subject, NULL, NULL,
       NULL, NULL, NULL, calls, number, NULL, last_number
FROM check_findings
UNION ALL
SELECT 'message_differs', 1, ranks, rank, NULL, communicator, communicator_uid, NULL, site, 'type', NULL, NULL, NULL,
       NULL, messages, NULL, tag, NULL, NULL
FROM message_findings
UNION ALL
SELECT 'error_returned', 2, ranks, rank, NULL, communicator, communicator_uid, function, site, error, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL
FROM failed_calls WHERE misuse
UNION ALL
SELECT l.outcome, CASE l.outcome WHEN 'running' THEN 3 ELSE 1 END, l.ranks, NULL, NULL, l.communicator, min(e.uid),
       l.function, l.site, CASE l.inside WHEN 1 THEN 'inside' ELSE 'outside' END, NULL, max(e.seconds), NULL, NULL,
       NULL, count(DISTINCT e.rank), NULL, NULL, NULL
FROM listed l JOIN ended e ON e.outcome = l.outcome AND e.function IS l.function AND e.communicator IS l.communicator
                              AND e.site IS l.site AND e.inside = l.inside
GROUP BY l.outcome, l.function, l.communicator, l.site, l.inside
UNION ALL
SELECT 'died_first', 1, CAST(rank AS TEXT), rank, NULL, NULL, NULL, NULL, NULL, died_first, NULL, seconds, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL
FROM endings WHERE died_first IS NOT NULL
UNION ALL
SELECT * FROM program_findings
UNION ALL
SELECT * FROM wait_findings
UNION ALL
SELECT kind, severity, ranks, NULL, NULL, communicator, communicator_uid, NULL, NULL, NULL, NULL, NULL, NULL, bytes,
       messages, pairs, NULL, NULL, NULL
FROM traffic_findings
UNION ALL
SELECT kind, severity, ranks, NULL, NULL, communicator, communicator_uid, NULL, nullif(site, 0), NULL, NULL, NULL, NULL,
       NULL, messages, NULL, tag, NULL, last_tag
FROM tag_findings
UNION ALL
SELECT kind, severity, ranks, NULL, NULL, NULL, NULL, NULL, coalesce(site, key_site), coalesce(name, object_kind),
       answer, NULL, NULL, NULL, NULL, calls, NULL, NULL, NULL
FROM attribute_findings WHERE kind <> 'never_freed_keyval' -- a leak already
UNION ALL
SELECT kind, severity, ranks, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       coalesce(moves, nodes), cpu_quota, NULL, load
FROM placement_findings;

CREATE VIEW recording_findings ( -- gaps in the recording, and the state of its clocks: a part of findings
    kind, -- missing_ranks, facts_lost, library_not_recorded, journal_damaged, clocks_apart, clock_unbound,
        -- clock_contradiction
    severity, -- as in findings
    ranks, -- as in findings
    rank, -- clocks_apart: rank whose clock is that of the run
    other_rank, -- NULL
    communicator, -- NULL
    communicator_uid, -- NULL
    function, -- NULL
    site, -- NULL
    subject, -- libraries, nodes: "a, b"; NULL: more than four nodes
    answer, -- NULL
    seconds, -- clocks_apart, clock_contradiction: the largest difference
    percent, -- NULL
    bytes, -- NULL
    messages, -- NULL
    count, -- facts_lost: number of facts; clock_unbound, clock_contradiction: number of nodes
    least, -- clocks_apart: remaining error of instants, in seconds
    median, -- NULL
    most -- NULL
) AS
WITH RECURSIVE
    whole (size) AS (SELECT min(max(world_size), 100000) FROM process),
    number (rank) AS (
        SELECT 0 FROM whole WHERE size > 0 UNION ALL SELECT rank + 1 FROM number, whole WHERE rank + 1 < size),
    said (kind, subject, rank) AS MATERIALIZED (
        SELECT 'missing_ranks', NULL, rank FROM number WHERE rank NOT IN (SELECT rank FROM process)
        UNION ALL SELECT 'facts_lost', NULL, rank FROM process WHERE lost > 0
        UNION ALL SELECT 'library_not_recorded', replace(value, ':', ', '), rank FROM meta WHERE key = 'not_recorded'
        UNION ALL SELECT 'journal_damaged', NULL, rank FROM process WHERE damaged),
    island (kind, subject, first, last) AS (
        SELECT kind, subject, min(rank), max(rank)
        FROM (SELECT *, rank - dense_rank() OVER (PARTITION BY kind, subject ORDER BY rank) AS island FROM said)
        GROUP BY kind, subject, island ORDER BY 3),
    listed (place, kind, subject, ranks) AS (
        SELECT instr('missing_ranks facts_lost library_not_recorded journal_damaged', kind), kind, subject,
               group_concat(first || CASE last - first WHEN 0 THEN '' WHEN 1 THEN ',' || last ELSE '-' || last END, ',')
        FROM island GROUP BY kind, subject ORDER BY 1, subject)
SELECT kind, 2, ranks, NULL, NULL, NULL, NULL, NULL, NULL, subject, NULL, NULL, NULL, NULL, NULL,
       CASE kind WHEN 'facts_lost' THEN (SELECT sum(lost) FROM process WHERE lost > 0) END, NULL, NULL, NULL
FROM listed
UNION ALL
SELECT 'clocks_apart', 3, NULL, first_rank, NULL, NULL, NULL, NULL, NULL, NULL, NULL, apart_ns / 1e9, NULL, NULL, NULL,
       NULL, error_ns / 1e9, NULL, NULL
FROM (SELECT max(max(offset_ns), 0) - min(min(offset_ns), 0) AS apart_ns, max(error_ns) AS error_ns,
             min(first_rank) AS first_rank
      FROM clocks WHERE error_ns IS NOT NULL HAVING count(*) > 1) WHERE apart_ns >= 1000000
UNION ALL
SELECT 'clock_unbound', 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       CASE WHEN count(*) <= 4 THEN group_concat(node, ', ') END, NULL, NULL, NULL, NULL, NULL, count(*), NULL, NULL,
       NULL
FROM (SELECT node FROM clocks WHERE error_ns IS NULL AND drift_ppb IS NOT NULL ORDER BY first_rank) HAVING count(*) > 0
UNION ALL
SELECT 'clock_contradiction', 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       CASE WHEN count(*) <= 4 THEN group_concat(node, ', ') END, NULL, max(contradiction_ns) / 1e9, NULL, NULL, NULL,
       count(*), NULL, NULL, NULL
FROM (SELECT node, contradiction_ns FROM clocks WHERE contradiction_ns > 0 ORDER BY first_rank) HAVING count(*) > 0;

CREATE VIEW program_findings ( -- time and data of the program, and objects that it never freed: a part of
        -- findings
    kind, -- time: time_on_communicator, time_in_function, calls_not_returned, dead_time_unknown, no_time, late_rank,
        -- mpi_percent, other_percent; data: data_between_ranks, data_on_communicator, data_on_node; leak
    severity, -- as in findings
    ranks, -- as in findings
    rank, -- late_rank: the others wait for it; mpi_percent, other_percent: rank with the least
    other_rank, -- mpi_percent, other_percent: rank with the most
    communicator, -- as in findings
    communicator_uid, -- as in findings
    function, -- as in findings
    site, -- NULL
    subject, -- late_rank, time_on_communicator, data_on_communicator: window, file; data_between_ranks: messages,
        -- transfers, both; leak: kind of object
    answer, -- NULL
    seconds, -- late_rank: lower bound of the others' waiting time; time_in_function, calls_not_returned: time in the
        -- calls
    percent, -- share of the MPI time without Init and Finalize; data_on_communicator, data_on_node: share of the data
    bytes, -- data
    messages, -- NULL
    count, -- calls_not_returned, dead_time_unknown: calls; mpi_percent, other_percent: ranks; leak: objects;
        -- time_on_communicator, data_on_communicator: communicators, as in communicator_time. NULL: a rank has one
    least, -- mpi_percent, other_percent: least % of a rank's time; leak: least objects of a rank; late_rank,
        -- time_on_communicator, data_on_communicator: number, as in communicator_time
    median, -- mpi_percent, other_percent: likewise
    most -- the same figures, most; time_on_communicator, data_on_communicator: names, as in communicator_time
) AS
WITH place (similar_to, communicator, kind, shared, number, names, percent) AS MATERIALIZED (
         SELECT similar_to, communicator, CASE WHEN kind IN ('window', 'file') THEN kind END,
                CASE WHEN objects > ranks THEN communicators END, number, names, percent
         FROM communicator_time),
     spent (function, ns, percent) AS MATERIALIZED (SELECT function, seconds * 1e9, percent FROM function_time),
     whole (ns) AS MATERIALIZED (SELECT nullif(total(ns), 0) FROM spent WHERE percent IS NOT NULL),
     share (kind, rank, percent, number, ranks) AS (
         SELECT kind, rank, percent, row_number() OVER (PARTITION BY kind ORDER BY percent, rank),
                count(*) OVER (PARTITION BY kind)
         FROM (SELECT k.column1 AS kind, p.rank,
                      CASE k.column1 WHEN 'mpi_percent' THEN p.mpi_percent ELSE p.other_percent END AS percent
               FROM processes p, (VALUES ('mpi_percent'), ('other_percent')) k WHERE p.rank >= 0)
         WHERE percent IS NOT NULL),
     carried (similar_to, transfer, remote, bytes) AS MATERIALIZED (
         SELECT g.similar_to, t.transfer, s.node <> d.node,
                max(coalesce(t.sent_bytes, 0), coalesce(t.received_bytes, 0))
         FROM summed_traffic t
              JOIN object_keys o ON o.rank = t.first >> 32 AND o.object = t.first & 4294967295
              LEFT JOIN similar_groups g ON g.similar = o.similar AND o.kind = 'communicator'
              LEFT JOIN process s ON s.rank = t.source LEFT JOIN process d ON d.rank = t.dest
         WHERE t.partner IS NULL AND t.source <> t.dest),
     not_freed (rank, kind, objects) AS MATERIALIZED (
         SELECT l.rank, l.kind, count(*) FROM leaks l JOIN process p ON p.rank = l.rank AND p.outcome = 'finalized'
         GROUP BY 1, 2),
     island (kind, first, last) AS (
         SELECT kind, min(rank), max(rank)
         FROM (SELECT *, rank - row_number() OVER (PARTITION BY kind ORDER BY rank) AS island FROM not_freed)
         GROUP BY kind, island ORDER BY 2),
     leaking (kind, ranks, first) AS MATERIALIZED (
         SELECT kind,
                group_concat(first || CASE last - first WHEN 0 THEN '' WHEN 1 THEN ',' || last ELSE '-' || last END,
                             ','),
                min(first)
         FROM island GROUP BY kind)
SELECT 'time_on_communicator', 3, NULL, NULL, NULL, CASE WHEN similar_to THEN communicator END,
       (SELECT uid FROM object WHERE rank = similar_to >> 32 AND object = similar_to & 4294967295), NULL, NULL, kind,
       NULL, NULL, percent, NULL, NULL, shared, number, NULL, CASE WHEN similar_to THEN names END
FROM (SELECT * FROM place LIMIT 1) WHERE (SELECT ns FROM whole)
UNION ALL
SELECT 'time_in_function', 3, NULL, NULL, NULL, NULL, NULL, function, NULL, NULL, NULL, ns / 1e9, percent, NULL, NULL,
       NULL, NULL, NULL, NULL
FROM (SELECT * FROM spent LIMIT 1) WHERE (SELECT ns FROM whole)
UNION ALL
SELECT 'calls_not_returned', 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, u.ns / 1e9, u.ns * 100.0 / w.ns,
       NULL, NULL, u.calls, NULL, NULL, NULL
FROM (SELECT count(*) AS calls, total(o.time_ns) AS ns
      FROM open_calls o LEFT JOIN function f ON f.function = o.function WHERE f.class IS NOT 'lifecycle') u, whole w
WHERE u.ns * 1000 >= w.ns
UNION ALL
SELECT 'dead_time_unknown', 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, count(*),
       NULL, NULL, NULL
FROM thread t JOIN process p USING (rank) WHERE t.state = 'inside' AND p.outcome = 'died' HAVING count(*) > 0
UNION ALL
SELECT 'no_time', 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL
WHERE (SELECT ns FROM whole) IS NULL AND EXISTS (SELECT 1 FROM spent)
UNION ALL
SELECT 'late_rank', 2, b.members, b.latest_rank, NULL, b.communicator,
       (SELECT uid FROM object WHERE rank = b.similar_to >> 32 AND object = b.similar_to & 4294967295), b.function,
       NULL, CASE WHEN b.kind IN ('window', 'file') THEN b.kind END, NULL, b.waiting_seconds,
       b.waiting_seconds * 1e11 / w.ns, NULL, NULL, NULL, c.number, NULL, NULL
FROM (SELECT * FROM balance LIMIT 1) b, whole w LEFT JOIN place c ON c.similar_to = b.similar_to
-- If two ranks have about the same least time, neither can be called late.
WHERE b.waiting_seconds * 1e9 >= 0.05 * w.ns AND b.waiting_percent >= 20 AND b.next_seconds >= 2 * b.least_seconds
UNION ALL
SELECT kind, 3, NULL, max(CASE number WHEN 1 THEN rank END), max(CASE number WHEN ranks THEN rank END), NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, count(*), min(percent),
       avg(CASE WHEN number IN ((ranks + 1) / 2, (ranks + 2) / 2) THEN percent END), max(percent)
FROM share GROUP BY kind HAVING count(*) > 1
UNION ALL
SELECT 'data_between_ranks', 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       CASE WHEN min(transfer = 'message') THEN 'messages' WHEN max(transfer = 'message') THEN 'both'
            ELSE 'transfers' END,
       NULL, NULL, NULL, sum(bytes), NULL, NULL, NULL, NULL, NULL
FROM carried HAVING sum(bytes) > 0
UNION ALL
SELECT 'data_on_communicator', 3, NULL, NULL, NULL, n.label, o.uid, NULL, NULL, c.kind, NULL, NULL,
       m.bytes * 100.0 / m.whole, m.bytes, NULL, c.shared, c.number, NULL, c.names
FROM (SELECT similar_to, sum(bytes) AS bytes, (SELECT sum(bytes) FROM carried) AS whole FROM carried
      WHERE similar_to GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1) m
     LEFT JOIN place c ON c.similar_to = m.similar_to
     JOIN labels n ON n.rank = m.similar_to >> 32 AND n.object = m.similar_to & 4294967295
     JOIN object o ON o.rank = n.rank AND o.object = n.object
WHERE m.whole > 0
UNION ALL
SELECT 'data_on_node', 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       total(CASE WHEN NOT remote THEN bytes END) * 100 / sum(bytes), NULL, NULL, NULL, NULL, NULL, NULL
FROM carried
HAVING sum(bytes) > 0 AND count(remote) = count(*) AND (SELECT count(DISTINCT node) FROM process) > 1
UNION ALL
SELECT * FROM (SELECT 'leak', 2, l.ranks, l.first, NULL, NULL, NULL, NULL, NULL, n.kind, NULL, NULL, NULL, NULL, NULL,
                      sum(n.objects), min(n.objects), NULL, max(n.objects)
               FROM not_freed n JOIN leaking l ON l.kind = n.kind
               GROUP BY n.kind ORDER BY sum(n.objects) DESC, n.kind);

CREATE VIEW endings ( -- processes without MPI_Finalize: a row for each thread that is or was inside MPI, or
        -- else for the last thread that was
    rank, -- rank of the process
    pid, -- process id
    outcome, -- died, exited, aborted, running
    abort_code, -- argument of MPI_Abort
    alive, -- outcome running: 1 if it is known to run; NULL: unknown
    inside, -- 1: the thread is or was inside the function; 0: the function had returned
    thread, -- number within the rank; NULL: it is the only row of the rank
    function, -- MPI function
    class, -- class of the function
    direction, -- relation of its peer: to, from, root; NULL: both or neither
    object_name, -- communicator, window or file of the call: its name in reports
    communicator_uid, -- its id; NULL: none, or unknown
    peer, -- peer of the call, as in thread
    tag, -- tag of the call, as in thread
    bytes, -- bytes to send, or size of the receive buffer
    site, -- call site
    begun_by, -- function that made the one request that the call waits for; NULL: another call, or several requests
    begun_site, -- its call site
    seconds, -- running: time in the call; else: begin of the call, or last sign of life, since the process's start
    died_first -- this rank probably died first: it was outside MPI, and all others waited. sure: the job
        -- was not killed from outside; likely: that is unknown; NULL: no, or unknown
) AS
WITH last (rank, inside, until_ns) AS (
         SELECT rank, max(state = 'inside'), max(until_ns) FROM thread GROUP BY rank),
     pending (rank, thread, function, site) AS MATERIALIZED (SELECT rank, thread, function, site FROM active_request),
     state (rank, pid, outcome, began_ns, seen_ns, inside, threads, thread, function, object, peer, tag, bytes, site,
            since_ns, until_ns, begun_by, begun_site) AS MATERIALIZED (
         SELECT p.rank, p.pid, p.outcome, p.began_ns, p.last_seen_ns, coalesce(t.state = 'inside', 0),
                count(*) OVER (PARTITION BY p.rank), t.thread, t.function, t.object, t.peer, t.tag, t.bytes, t.site,
                t.since_ns, t.until_ns, a.function, a.site
         FROM process p LEFT JOIN last l ON l.rank = p.rank
              LEFT JOIN thread t ON t.rank = p.rank
                                    AND CASE WHEN l.inside THEN t.state = 'inside' ELSE t.until_ns = l.until_ns END
              LEFT JOIN pending a ON a.rank = t.rank AND a.thread = t.thread AND t.awaited = 1 AND t.state = 'inside'
                                     AND t.inner_function IS NULL
         WHERE p.outcome <> 'finalized'),
     waiting (function) AS MATERIALIZED ( -- for somebody
         SELECT function FROM function
         WHERE class IN ('collective', 'completion', 'communicator')
               OR class = 'point-to-point' AND transfer IN ('receive', 'both')),
     first (sure) AS ( -- one row if all died, one was outside MPI, and all others waited
         SELECT max(j.own_end)
         FROM state, (SELECT max(of_ranks AND coalesce(as_after NOT IN ('SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM',
                                                                        'SIGKILL', 'SIGXCPU'), 0)) AS own_end
                      FROM job) j
         HAVING min(outcome) = 'died' AND max(outcome) = 'died' AND sum(NOT inside) = 1 AND sum(inside) > 0
                           AND sum(inside AND coalesce(function NOT IN (SELECT function FROM waiting), 0)) = 0
                           AND NOT (SELECT total(killed) FROM job))
SELECT s.rank, s.pid, s.outcome,
       CASE s.outcome WHEN 'aborted' THEN (SELECT value FROM meta WHERE rank = s.rank AND key = 'abort_code') END,
       CASE WHEN s.outcome = 'running' AND NOT EXISTS (SELECT 1 FROM meta WHERE rank = s.rank AND key = 'journal.writer'
                                                                              AND value = 'unknown') THEN 1 END,
       s.inside, CASE WHEN s.threads > 1 THEN s.thread END, f.name, f.class,
       CASE f.class WHEN 'collective' THEN 'root'
                    WHEN 'point-to-point' THEN CASE f.transfer WHEN 'receive' THEN 'from' WHEN 'send' THEN 'to' END END,
       l.label, o.uid, s.peer, s.tag, s.bytes, nullif(s.site, 0), b.name, nullif(s.begun_site, 0),
       CASE WHEN s.outcome = 'running' THEN s.seen_ns - CASE WHEN s.inside THEN s.since_ns ELSE s.until_ns END
            WHEN s.inside THEN s.since_ns - s.began_ns ELSE s.seen_ns - s.began_ns END / 1e9,
       CASE WHEN NOT s.inside THEN (SELECT CASE sure WHEN 1 THEN 'sure' ELSE 'likely' END FROM first) END
FROM state s LEFT JOIN function f ON f.function = s.function LEFT JOIN function b ON b.function = s.begun_by
     LEFT JOIN labels l ON l.rank = s.rank AND l.object = s.object
     LEFT JOIN object o ON o.rank = s.rank AND o.object = s.object;

CREATE VIEW run_summary ( -- one row: program, place and time of the run, and how it ended
    programs, -- names of the programs' files, or of the scripts that they run, "a,b"; NULL: unknown
    ranks, -- recorded ranks
    unranked, -- processes that never got a rank
    nodes, -- how many machines
    node, -- one of them
    mpi, -- name and version; NULL: unknown
    standard_abi, -- 1: the program has the standard ABI
    started_utc, -- start of the first process
    seconds, -- from the first to the last instant known
    threaded, -- 1: several threads of a process called MPI
    lifecycle_percent, -- time in MPI_Init, MPI_Finalize and similar functions, as share of all threads' time
    other_percent, -- time in other MPI functions, as share of all threads' time
    unfinished, -- processes without MPI_Finalize
    dead -- processes that died
) AS
WITH one AS (
         SELECT group_concat(DISTINCT coalesce(
                    (SELECT value FROM meta WHERE meta.rank IS process.rank AND key = 'script'),
                    replace(program, rtrim(program, replace(program, '/', '')), ''))) AS programs,
                sum(rank >= 0) AS ranks, sum(rank < 0) AS unranked, count(DISTINCT node) AS nodes, min(node) AS node,
                min(started_utc) AS started_utc, max(last_seen_ns) - min(began_ns) AS ran_ns,
                sum(outcome <> 'finalized') AS unfinished, sum(outcome = 'died') AS dead
         FROM process),
     share AS (
         SELECT total(lifecycle_seconds) * 100.0 / nullif(total(thread_seconds), 0) AS lifecycle_percent,
                total(other_percent * thread_seconds) / nullif(total(thread_seconds), 0) AS other_percent,
                max(threads) > 1 AS threaded
         FROM processes),
     mpi AS ( -- "Open MPI v4.1.4, package: ..." and "MPICH Version:<tab>4.0.2<newline>..."
         SELECT trim(replace(replace(replace(line, ' ', '<>'), '><', ''), '<>', ' ')) AS version
         FROM (SELECT replace(replace(substr(value, 1, length), char(9), ' '), 'Version:', ' ') AS line
               FROM (SELECT value, min(instr(value || ',', ','), instr(value || char(10), char(10))) - 1 AS length
                     FROM meta WHERE key = 'mpi' ORDER BY rank LIMIT 1)))
SELECT programs, ranks, unranked, nodes, node, (SELECT version FROM mpi),
       EXISTS (SELECT 1 FROM meta WHERE key = 'flavour' AND value = 'abi'), started_utc,
       max(ran_ns / 1e9, coalesce((SELECT seconds FROM job WHERE of_ranks AND unfinished), 0)), threaded,
       lifecycle_percent, other_percent, unfinished, dead
FROM one, share;
