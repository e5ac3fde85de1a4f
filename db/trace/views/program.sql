-- Views: what stands out in the program's time, its data and its objects.

-- kept: overview
CREATE VIEW time_findings ( -- where the MPI time is, without MPI_Init, MPI_Finalize and similar: a part of findings
    kind, -- mpi_time: the communicator and the function with the most time; no_time: there is none
    communicator, -- name of the communicator, window or file, or how it was created; NULL: the time is in
        -- calls without one
    communicator_uid, -- its id, as in run_communicators; for similar ones in one row that of the first
    object_kind, -- window, file; NULL: communicator
    communicators, -- number of them, if a rank has several; else NULL
    number, -- number, as in communicator_time
    names, -- number of names, as in communicator_time
    percent, -- share of the MPI time on that communicator
    function, -- function with the most time
    seconds, -- time in it
    function_percent, -- its share of the MPI time
    calls, -- calls that have not returned; NULL: they are less than 0.1 % of the MPI time
    open_percent, -- their share of the MPI time
    unknown_calls -- calls of processes that died in them: their time is not included; NULL: none
) AS
WITH place (similar_to, communicator, kind, shared, number, names, percent) AS MATERIALIZED (
         SELECT similar_to, communicator, CASE WHEN kind IN ('window', 'file') THEN kind END,
                CASE WHEN objects > ranks THEN communicators END, number, names, percent
         FROM communicator_time),
     spent (function, ns, percent) AS MATERIALIZED (SELECT function, seconds * 1e9, percent FROM function_time),
     whole (ns) AS MATERIALIZED (SELECT nullif(total(ns), 0) FROM spent WHERE percent IS NOT NULL),
     busiest AS (SELECT * FROM place LIMIT 1),
     longest AS (SELECT * FROM spent LIMIT 1),
     open (calls, ns) AS (
         SELECT count(*), total(o.time_ns)
         FROM open_calls o LEFT JOIN function f ON f.function = o.function WHERE f.class IS NOT 'lifecycle')
SELECT 'mpi_time', CASE WHEN b.similar_to THEN b.communicator END,
       (SELECT uid FROM object WHERE rank = b.similar_to >> 32 AND object = b.similar_to & 4294967295), b.kind,
       b.shared, b.number, CASE WHEN b.similar_to THEN b.names END, b.percent, l.function, l.ns / 1e9, l.percent,
       CASE WHEN o.ns * 1000 >= w.ns THEN o.calls END, CASE WHEN o.ns * 1000 >= w.ns THEN o.ns * 100.0 / w.ns END,
       (SELECT nullif(count(*), 0) FROM thread t JOIN process p USING (rank)
        WHERE t.state = 'inside' AND p.outcome = 'died')
FROM whole w, busiest b, longest l, open o WHERE w.ns
UNION ALL
SELECT 'no_time', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
WHERE (SELECT ns FROM whole) IS NULL AND EXISTS (SELECT 1 FROM spent);

CREATE VIEW wait_limits ( -- the waiting time that is worth a finding: 5 % of the MPI time and 1 % of the ranks' time,
        -- which has the time in calls that never returned, too: from the last sign of life until the job ended
    source, -- profile: in the whole run; events: in the time that events cover
    mpi_ns, -- MPI time in it without MPI_Init, MPI_Finalize and similar
    ran_ns, -- time of all threads, or with events of all ranks
    least_ns -- least waiting time of all ranks together
) AS
SELECT source, nullif(mpi_ns, 0), ran_ns, max(0.05 * mpi_ns, 0.01 * (ran_ns + stuck_ns))
FROM (SELECT total(max(0, ended_ns - (last_seen_ns - first_ns))) AS stuck_ns
      FROM process, (SELECT min(began_ns) AS first_ns FROM process), (SELECT max(seconds) * 1e9 AS ended_ns FROM job)
      WHERE outcome = 'died' AND ended_ns IS NOT NULL),
     (SELECT 'profile' AS source,
             (SELECT total(seconds) * 1e9 FROM function_time WHERE percent IS NOT NULL) AS mpi_ns,
             (SELECT total(thread_seconds) * 1e9 FROM processes) AS ran_ns
      UNION ALL
      SELECT 'events', total(mpi_ns), total(to_ns - from_ns) FROM event_ranges);

-- kept: overview
CREATE VIEW late_findings ( -- the rank that makes the others wait most, if they wait as wait_limits says: a part of
        -- findings
    kind, -- late_rank
    ranks, -- members of the communicator, as ranges: "0-3,7"
    rank, -- the others wait for it
    communicator, communicator_uid, object_kind, number, -- as in time_findings
    function, -- function in which they wait
    site, -- its call site with the most time; NULL: unknown, or shared with other communicators on several lines
    cause_lines, -- number of lines that call it there
    processes, -- number of the others
    subject, -- least: the next three are lower bounds, from balance.waiting_least_seconds; about: they are estimates,
        -- from waiting_seconds, because nobody knows how long members lacked a core
    seconds, -- the others' waiting time
    mean_seconds, -- the same for one of them, on average
    percent, -- its share of the MPI time (Init and Finalize not counted)
    about_seconds -- mean_seconds by the estimate
) AS
WITH -- If two ranks have about the same least time, neither can be called late.
     -- Nobody may have waited at all if all of it may be lack of cores.
     late AS MATERIALIZED (
         SELECT b.*, coalesce(b.waiting_least_seconds, b.waiting_seconds) AS told_seconds, w.mpi_ns AS whole_ns
         FROM (SELECT * FROM balance LIMIT 1) b JOIN wait_limits w ON w.source = 'profile'
         WHERE b.waiting_seconds * 1e9 >= w.least_ns AND b.waiting_percent >= 20
               AND b.next_seconds >= 2 * b.least_seconds
               AND coalesce(b.waiting_least_seconds, b.waiting_seconds) > 0),
     line (site, lines) AS (
         SELECT min(coalesce(c.charged_site, s.site)), count(*) OVER ()
         FROM late b JOIN object_keys k ON k.rank = b.similar_to >> 32 AND k.object = b.similar_to & 4294967295
              JOIN function f ON f.name = b.function
              JOIN summary s ON s.part = 'line' AND s.similar = k.similar AND s.function = f.function
              LEFT JOIN sites l ON l.site = s.site LEFT JOIN charged_sites c ON c.site = s.site
         GROUP BY coalesce(l.location, s.site) ORDER BY sum(s.time_ns) DESC, 1 LIMIT 1)
SELECT 'late_rank', b.members, b.latest_rank, b.communicator,
       (SELECT uid FROM object WHERE rank = b.similar_to >> 32 AND object = b.similar_to & 4294967295),
       CASE WHEN b.kind IN ('window', 'file') THEN b.kind END, c.number, b.function,
       CASE WHEN l.lines = 1 OR c.communicators = b.communicators THEN nullif(l.site, 0) END, l.lines, b.size - 1,
       CASE WHEN b.waiting_least_seconds IS NULL THEN 'about' ELSE 'least' END, b.told_seconds,
       b.told_seconds / (b.size - 1), b.told_seconds * 1e11 / b.whole_ns, b.waiting_seconds / (b.size - 1)
FROM late b LEFT JOIN line l ON 1 LEFT JOIN communicator_time c ON c.similar_to = b.similar_to;

CREATE VIEW late_rank_findings ( -- late_findings, except those whose wait is in wait_findings, from events: a part of
        -- findings
    kind, ranks, rank, communicator, communicator_uid, object_kind, number, function, -- as in late_findings
    site, cause_lines, processes, subject, seconds, mean_seconds, percent -- as in late_findings
) AS
SELECT kind, ranks, rank, communicator, communicator_uid, object_kind, number, function, site, cause_lines, processes,
       subject, seconds, mean_seconds, percent
FROM late_findings l
WHERE NOT EXISTS (SELECT 1 FROM wait_findings w
                  WHERE w.rank = l.rank AND w.function = l.function AND w.communicator_uid IS l.communicator_uid);

-- kept: overview
CREATE VIEW polling_findings ( -- the call site with the most time in calls that poll for requests, if it reaches
        -- wait_limits and nine of ten calls found nothing: a part of findings
    kind, -- polling
    ranks, -- ranks that polled there
    processes, -- number of them
    function, -- function that polled
    site, -- call site; NULL: unknown
    calls, -- number of calls
    found, -- number of those that found something
    seconds, -- time in these calls, and between calls that followed each other directly, if that is 10 us on average
        -- or less
    mean_seconds -- the same for one of the ranks, on average
) AS
WITH poll (rank, function, site, calls, found, ns) AS MATERIALIZED (
         SELECT p.rank, p.function, p.site, sum(p.calls), sum(p.calls * (p.size_class > 0)), sum(p.time_ns)
         FROM profile p JOIN function f ON f.function = p.function
         WHERE f.class = 'completion' AND f.waits IS NULL AND f.request_act IS NOT NULL GROUP BY 1, 2, 3),
     again (rank, function, site, ns) AS MATERIALIZED (
         SELECT rank, function, site, sum(time_ns) FROM stretch
         WHERE from_function = function AND from_site = site AND site
         GROUP BY 1, 2, 3 HAVING sum(time_ns) <= 10000 * sum(stretches)),
     spent (place, rank, function, site, calls, found, ns) AS MATERIALIZED (
         SELECT coalesce(s.location, c.charged_site, p.site), p.rank, p.function, coalesce(c.charged_site, p.site),
                p.calls, p.found, p.ns + coalesce(a.ns, 0)
         FROM poll p LEFT JOIN again a USING (rank, function, site) LEFT JOIN charged_sites c ON c.site = p.site
              LEFT JOIN sites s ON s.site = c.charged_site),
     most (place, function, site, calls, found, ns) AS MATERIALIZED (
         SELECT place, function, min(site), sum(calls), sum(found), sum(ns) FROM spent GROUP BY 1, 2
         HAVING sum(found) * 10 <= sum(calls)
                AND sum(ns) >= (SELECT least_ns FROM wait_limits WHERE source = 'profile')
         ORDER BY 6 DESC, 1 LIMIT 1),
     island (first, last) AS (
         SELECT min(rank), max(rank)
         FROM (SELECT rank, rank - row_number() OVER (ORDER BY rank) AS island
               FROM (SELECT DISTINCT s.rank FROM most m JOIN spent s USING (place, function)))
         GROUP BY island ORDER BY 1),
     listed (ranks, processes) AS (
         SELECT group_concat(first || CASE last - first WHEN 0 THEN '' WHEN 1 THEN ',' || last ELSE '-' || last END,
                             ','),
                sum(last - first + 1)
         FROM island)
SELECT 'polling', l.ranks, l.processes, f.name, nullif(m.site, 0), m.calls, m.found, m.ns / 1e9,
       m.ns / 1e9 / l.processes
FROM most m JOIN listed l JOIN function f USING (function);

-- kept: overview
CREATE VIEW share_findings ( -- share of the ranks' time in MPI: a part of findings
    kind, -- mpi_percent: in all of MPI; other_percent: without MPI_Init, MPI_Finalize and similar; busy_rank: the same.
        -- One rank has at most half of what each other rank has, and each other rank has at least 10 % of its time.
        -- late_findings does not explain half of the difference, no events show who waits, and lack of
        -- cores is no reason
    rank, -- rank with the least
    other_rank, -- rank with the most
    processes, -- number of ranks
    least, -- percentage of rank
    median, -- median of all ranks
    most -- percentage of other_rank
) AS
WITH share (kind, rank, percent, number, ranks) AS (
         SELECT kind, rank, percent, row_number() OVER (PARTITION BY kind ORDER BY percent, rank),
                count(*) OVER (PARTITION BY kind)
         FROM (SELECT k.column1 AS kind, p.rank,
                      CASE k.column1 WHEN 'mpi_percent' THEN p.mpi_percent ELSE p.other_percent END AS percent
               FROM processes p, (VALUES ('mpi_percent'), ('other_percent')) k WHERE p.rank >= 0)
         WHERE percent IS NOT NULL)
SELECT kind, max(CASE number WHEN 1 THEN rank END), max(CASE number WHEN ranks THEN rank END), count(*), min(percent),
       avg(CASE WHEN number IN ((ranks + 1) / 2, (ranks + 2) / 2) THEN percent END), max(percent)
FROM share GROUP BY kind HAVING count(*) > 1
UNION ALL
SELECT 'busy_rank', s.*
FROM (SELECT min(CASE number WHEN 1 THEN rank END) AS rank, max(CASE number WHEN ranks THEN rank END), count(*),
             min(percent) AS least,
             avg(CASE WHEN number IN ((ranks + 2) / 2, (ranks + 3) / 2) THEN percent END) AS median, max(percent)
      FROM share WHERE kind = 'other_percent'
      HAVING min(CASE number WHEN 2 THEN percent END) >= max(10, 2 * min(percent))) s
WHERE NOT EXISTS (SELECT 1 FROM late_findings
                  WHERE about_seconds * 200 >= (s.median - s.least)
                                               * (SELECT avg(thread_seconds) FROM processes WHERE rank >= 0))
      AND NOT EXISTS (SELECT 1 FROM event)
      -- with too few cores, a rank that computes no longer than the others lost its core more often
      AND NOT EXISTS (SELECT 1 FROM (SELECT 1 FROM core_findings UNION ALL SELECT 1 FROM core_wait_findings),
                                    rank_usage u
                      WHERE u.rank = s.rank
                            AND u.core_seconds < 1.2 * (SELECT avg(core_seconds) FROM rank_usage
                                                        WHERE rank >= 0 AND rank <> s.rank));

-- kept: overview
CREATE VIEW data_findings ( -- data between different ranks: a part of findings
    kind, -- data_between_ranks
    subject, -- messages, transfers, both
    bytes, -- data
    communicator, communicator_uid, object_kind, communicators, number, names, -- as in time_findings
    percent, -- share of the data on that communicator
    near_percent -- share of the data within nodes; NULL: there is one node, or nodes are unknown
) AS
WITH carried (similar_to, transfer, remote, bytes) AS MATERIALIZED (
         SELECT g.similar_to, t.transfer, s.node <> d.node,
                max(coalesce(t.sent_bytes, 0), coalesce(t.received_bytes, 0))
         FROM summed_traffic t
              JOIN object_keys o ON o.rank = t.first >> 32 AND o.object = t.first & 4294967295
              LEFT JOIN similar_groups g ON g.similar = o.similar AND o.kind = 'communicator'
              LEFT JOIN process s ON s.rank = t.source LEFT JOIN process d ON d.rank = t.dest
         WHERE t.partner IS NULL AND t.source <> t.dest),
     whole (subject, bytes, near) AS MATERIALIZED (
         SELECT CASE WHEN min(transfer = 'message') THEN 'messages' WHEN max(transfer = 'message') THEN 'both'
                     ELSE 'transfers' END,
                sum(bytes),
                CASE WHEN count(remote) = count(*) AND (SELECT count(DISTINCT node) FROM process) > 1
                     THEN total(CASE WHEN NOT remote THEN bytes END) END
         FROM carried HAVING sum(bytes) > 0),
     most (similar_to, bytes) AS (
         SELECT similar_to, sum(bytes) FROM carried WHERE similar_to GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1)
SELECT 'data_between_ranks', w.subject, w.bytes, n.label, o.uid, CASE WHEN c.kind IN ('window', 'file') THEN c.kind END,
       CASE WHEN c.objects > c.ranks THEN c.communicators END, c.number, c.names,
       CASE WHEN n.label IS NOT NULL THEN m.bytes * 100.0 / w.bytes END, w.near * 100 / w.bytes
FROM whole w LEFT JOIN most m ON 1 LEFT JOIN communicator_time c ON c.similar_to = m.similar_to
     LEFT JOIN labels n ON n.rank = m.similar_to >> 32 AND n.object = m.similar_to & 4294967295
     LEFT JOIN object o ON o.rank = n.rank AND o.object = n.object;

-- kept: overview
CREATE VIEW leak_findings ( -- objects that ranks never freed although they finalized: a part of findings
    kind, -- leak
    object_kind, -- kind of the objects
    ranks, -- ranks with such objects, as ranges: "0-3,7"
    rank, -- the lowest of them
    objects, -- number of objects on all ranks together
    least, -- least objects of one of these ranks
    most -- most objects of one of them
) AS
WITH not_freed (rank, kind, objects) AS MATERIALIZED (
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
SELECT 'leak', n.kind, l.ranks, l.first, sum(n.objects), min(n.objects), max(n.objects)
FROM not_freed n JOIN leaking l ON l.kind = n.kind
GROUP BY n.kind ORDER BY sum(n.objects) DESC, n.kind;

-- kept: overview
CREATE VIEW growing_findings ( -- objects whose number grew until the end on ranks that did not finalize, at
        -- least 100 on each. Objects that such ranks hold are no leaks by themselves. A part of findings
    kind, -- growing
    object_kind, -- kind of the objects
    objects, -- number of objects that were live at the end, on all of these ranks together
    processes, -- number of these ranks
    function, -- function that created them
    site -- call site that created them: first frame outside libraries that wrap MPI, as in charged_sites
) AS
WITH unfinished (rank, begin_ns, length_ns) AS MATERIALIZED (
         SELECT rank, coalesce(init_ns, began_ns), max(last_seen_ns - coalesce(init_ns, began_ns), 1)
         FROM process WHERE outcome <> 'finalized' AND last_seen_ns IS NOT NULL)
SELECT 'growing', l.kind, count(*), count(DISTINCT l.rank), l.created_by, l.charged_site
FROM unfinished u CROSS JOIN leaks l ON l.rank = u.rank
GROUP BY l.kind, l.created_by, l.charged_site
HAVING count(*) >= 100 * count(DISTINCT l.rank)
       -- some of each fifth of the run are live at its end: not a list that was made at the beginning
       AND count(DISTINCT min(max((l.created_ns - u.begin_ns) * 5 / u.length_ns, 0), 4)) = 5
ORDER BY count(*) DESC, l.kind, l.created_by, l.charged_site LIMIT 3;
