-- Views: what the waits of recorded calls cost a run. docs/timeline.md explains the figures.

-- kept: events, overview
CREATE VIEW event_ranges ( -- what the events of each rank cover
    rank, -- rank of the process
    from_ns, -- begin of the first call
    to_ns, -- end of the last one
    left_ns, -- the same as from_ns, but MPI_Init and similar functions count from their end
    entered_ns, -- the same as to_ns, but MPI_Finalize and similar functions count until their begin
    mpi_ns -- time in calls without these functions
) AS
SELECT rank, from_ns, to_ns, left_ns, entered_ns, CAST(mpi_ns AS REAL) FROM computed_event_ranges;

-- kept: events, overview
CREATE VIEW event_span ( -- one row: the time that the events of all ranks cover, without MPI_Init before the first rank
        -- left it and MPI_Finalize after the last one entered it. No row: they have no time in common
    ranks, -- number of ranks with events
    from_ns, -- begin
    to_ns -- end
) AS
SELECT count(*), max(max(from_ns), min(left_ns)), min(min(to_ns), max(entered_ns))
FROM event_ranges WHERE rank >= 0
HAVING max(max(from_ns), min(left_ns)) < min(min(to_ns), max(entered_ns));

-- kept: events, others
CREATE VIEW critical_path ( -- the chain of work that decided how long the run took, latest part first. A part ends
        -- where the next rank stops to wait for this one. It covers the first thread of each rank, from the begin of
        -- event_span to the end of the last call or the last MPI_Finalize
    step, -- number of the part, from 1; 1 is the end of the run
    rank, -- rank on which the path is
    from_ns, -- begin of the part
    to_ns, -- its end
    duration_ns, -- its duration
    mpi_ns, -- time of MPI calls in it: transfers, and waits that wait_states does not claim
    kind, -- the wait that ends where the part begins, as in wait_states. NULL: the events begin there
    function, -- function that waited
    site, -- its call site
    object_name, -- communicator, window or file of that call
    id, -- its id
    cause, -- rank that it waited for: the path continues there
    cause_function, -- function that ended the wait; NULL: the same function
    cause_site -- its call site
) AS
WITH RECURSIVE
    wait AS MATERIALIZED (SELECT * FROM computed_path),
    step (step, rank, to_ns, mpi_ns, before) AS (
        SELECT 1, rank, end_ns, mpi_ns, before FROM wait WHERE number = 0
        UNION ALL
        SELECT s.step + 1, w.cause, w.end_ns, w.cause_mpi_ns, w.before
        FROM step s JOIN wait w ON w.number = s.before WHERE w.end_ns > (SELECT from_ns FROM event_span)),
    part (step, rank, from_ns, to_ns, mpi_ns, before) AS (
        SELECT s.step, s.rank, max(coalesce(w.end_ns, r.from_ns), r.from_ns), s.to_ns, s.mpi_ns,
               iif(w.end_ns > r.from_ns, w.number, -1 - s.rank)
        FROM step s CROSS JOIN event_span r LEFT JOIN wait w ON w.number = s.before)
SELECT p.step, p.rank, p.from_ns, p.to_ns, p.to_ns - p.from_ns, p.mpi_ns - coalesce(w.mpi_ns, 0), w.kind, w.function,
       w.site, w.object_name, w.id, w.cause, w.cause_function, w.cause_site
FROM part p LEFT JOIN wait w ON w.number = p.before
WHERE p.to_ns > p.from_ns
ORDER BY p.step;

-- kept: events, others
CREATE VIEW efficiency ( -- POP efficiencies in the time of event_span, in percent, of the first thread of each rank: a
        -- row for the run, and one for each communicator, window and file as if only its calls were communication
    object_name, -- its name in reports; NULL: the run
    id, -- its id; NULL: the run
    ranks, -- ranks that called functions on it in this time
    seconds, -- length of the time
    parallel_percent, -- parallel efficiency: mean time outside these calls, as share of the time
    load_balance_percent, -- mean of the time outside, as share of the most
    communication_percent, -- communication efficiency: the most time outside, as share of the time
    serialization_percent, -- the most time outside, as share of the most outside or waiting (wait_states)
    transfer_percent, -- the most time outside or waiting, as share of the time: the rest is spent on data
    busiest_rank, -- the rank with the most time outside
    calls_seconds, -- time in these calls, all ranks together
    wait_seconds -- part of it that ranks waited
) AS
WITH first (rank, thread) AS MATERIALIZED (SELECT rank, min(thread) FROM event WHERE rank >= 0 GROUP BY rank),
     inside (rank, uid, calls_ns) AS (
         SELECT c.rank, o.uid, sum(c.calls_ns)
         FROM computed_call_times c LEFT JOIN object o ON o.rank = c.rank AND o.object = c.object GROUP BY 1, 2),
     waited (rank, uid, wait_ns) AS (
         SELECT w.rank, w.id, sum(max(0, min(w.start_ns + w.wait_ns, to_ns) - max(w.start_ns, from_ns)))
         FROM wait_states w JOIN first f USING (rank, thread) CROSS JOIN event_span GROUP BY 1, 2),
     both (rank, uid, calls_ns, wait_ns) AS MATERIALIZED (
         SELECT i.rank, i.uid, i.calls_ns, min(coalesce(w.wait_ns, 0), i.calls_ns)
         FROM inside i LEFT JOIN waited w ON w.rank = i.rank AND w.uid = i.uid),
     member (uid, rank, calls_ns, wait_ns, outside_ns, span_ns) AS MATERIALIZED (
         SELECT b.uid, b.rank, b.calls_ns, b.wait_ns, s.to_ns - s.from_ns - b.calls_ns, s.to_ns - s.from_ns
         FROM (SELECT uid, rank, calls_ns, wait_ns FROM both WHERE uid IS NOT NULL
               UNION ALL
               SELECT NULL, rank, sum(calls_ns), sum(wait_ns) FROM both GROUP BY rank) b CROSS JOIN event_span s),
     -- the row with this maximum supplies the rank
     most (uid, busiest, ns) AS MATERIALIZED (SELECT uid, rank, max(outside_ns) FROM member GROUP BY uid),
     named (uid, label) AS MATERIALIZED (
         SELECT o.uid, min(l.label) FROM object o JOIN labels l USING (rank, object)
         WHERE o.uid IN (SELECT uid FROM most) GROUP BY o.uid)
SELECT n.label, m.uid, count(*), m.span_ns / 1e9, avg(m.outside_ns) * 100 / m.span_ns,
       avg(m.outside_ns) * 100 / nullif(max(m.outside_ns), 0), max(m.outside_ns) * 100.0 / m.span_ns,
       max(m.outside_ns) * 100.0 / nullif(max(m.outside_ns + m.wait_ns), 0),
       max(m.outside_ns + m.wait_ns) * 100.0 / m.span_ns, x.busiest, sum(m.calls_ns) / 1e9, sum(m.wait_ns) / 1e9
FROM member m JOIN most x ON x.uid IS m.uid LEFT JOIN named n ON n.uid = m.uid
GROUP BY m.uid ORDER BY m.uid IS NOT NULL, sum(m.calls_ns) DESC, n.label, m.uid;

-- kept: events, overview
CREATE VIEW wait_findings ( -- the three causes of the longest waits that reach wait_limits: a part of findings
    kind, -- as in wait_states
    ranks, -- ranks that waited
    rank, -- rank that they waited for
    communicator, -- as in findings
    communicator_uid, -- as in findings
    function, -- function that waited
    cause_function, -- function that ended the wait; NULL: the same function
    cause_site, -- call site that ended the wait, on the line with the most waiting time
    cause_lines, -- number of lines that ended such waits
    processes, -- number of ranks that waited
    seconds, -- waiting time of all ranks
    mean_seconds, -- the same for one of them, on average
    percent, -- share of the time in recorded calls without lifecycle
    waits, -- number of waits
    from_seconds, -- begin of the time that the events of all ranks cover; NULL: none, or nine tenths of the run
    to_seconds -- its end; NULL as from_seconds
) AS
WITH limits (spent_ns, least_ns) AS MATERIALIZED (SELECT mpi_ns, least_ns FROM wait_limits WHERE source = 'events'),
     -- added up once: what follows reads a few rows
     wait (kind, id, function, cause_function, cause, rank, cause_site, name, waits, wait_ns) AS MATERIALIZED (
         SELECT kind, id, function, cause_function, cause, rank, cause_site, min(object_name), sum(waits), sum(wait_ns)
         FROM wait_sums GROUP BY 1, 2, 3, 4, 5, 6, 7),
     top (kind, id, function, cause_function, cause, waits, wait_ns, name, place) AS MATERIALIZED (
         SELECT *, row_number() OVER (ORDER BY wait_ns DESC, kind, name, function, cause) AS place
         FROM (SELECT kind, id, function, cause_function, cause, sum(waits), sum(wait_ns) AS wait_ns,
                      min(name) AS name
               FROM wait GROUP BY 1, 2, 3, 4, 5
               HAVING sum(wait_ns) >= (SELECT least_ns FROM limits))
         ORDER BY place LIMIT 3),
     site (place, site, number, lines) AS (
         SELECT t.place, min(w.cause_site),
                row_number() OVER (PARTITION BY t.place ORDER BY sum(w.wait_ns) DESC, min(w.cause_site)),
                count(*) OVER (PARTITION BY t.place)
         FROM top t JOIN wait w ON w.kind = t.kind AND w.id IS t.id AND w.function = t.function AND w.cause = t.cause
                                   AND w.cause_function IS t.cause_function
              LEFT JOIN sites s ON s.site = w.cause_site
         GROUP BY t.place, coalesce(s.location, w.cause_site)), -- callers do not matter
     island (place, first, last) AS (
         SELECT place, min(rank), max(rank)
         FROM (SELECT place, rank, rank - row_number() OVER (PARTITION BY place ORDER BY rank) AS island
               FROM (SELECT DISTINCT t.place, w.rank
                     FROM top t JOIN wait w ON w.kind = t.kind AND w.id IS t.id AND w.function = t.function
                                               AND w.cause = t.cause AND w.cause_function IS t.cause_function))
         GROUP BY place, island ORDER BY 2),
     listed (place, ranks, processes) AS (
         SELECT place,
                group_concat(first || CASE last - first WHEN 0 THEN '' WHEN 1 THEN ',' || last ELSE '-' || last END,
                             ','),
                sum(last - first + 1)
         FROM island GROUP BY place),
     part AS ( -- no row if the events cover most of the run
         SELECT from_ns, to_ns FROM event_span
         WHERE (to_ns - from_ns) * 10 < 9 * (SELECT max(last_seen_ns) FROM process))
SELECT t.kind, l.ranks, t.cause, t.name, t.id, t.function, nullif(t.cause_function, t.function), s.site, s.lines,
       l.processes, t.wait_ns / 1e9, t.wait_ns / 1e9 / l.processes, t.wait_ns * 100.0 / (SELECT spent_ns FROM limits),
       t.waits, r.from_ns / 1e9, r.to_ns / 1e9
FROM top t JOIN listed l USING (place) JOIN site s ON s.place = t.place AND s.number = 1 LEFT JOIN part r ON 1
ORDER BY t.place;

-- kept: events, overview
CREATE VIEW gain_findings ( -- how long the run would have taken if a late rank had been as fast as the median rank
        -- between calls: the best such forecast, if it is 3 % shorter or more: a part of findings. No row unless all
        -- ranks have events from the beginning, finalized, and had their cores: a replay does not know what less work
        -- on one core gives to another rank
    kind, -- gain; not_forecast: the run has more than 200,000 events, which callsign whatif replays
    rank, -- the late rank
    seconds, -- length of the run then
    median_seconds, -- as it was
    percent -- the difference, as share of it
) AS
WITH asked (many) AS MATERIALIZED (
         SELECT (SELECT count(*) FROM (SELECT 1 FROM event LIMIT 200001)) > 200000
         -- a rank that is faster gains others no more than they wait
         WHERE (SELECT max(wait_ns) FROM (SELECT total(wait_ns) AS wait_ns FROM wait_sums GROUP BY rank))
                   >= 0.03 * (SELECT to_ns - from_ns FROM event_span)
               AND NOT EXISTS (SELECT 1 FROM core_findings)
               AND (EXISTS (SELECT 1 FROM thread_usage WHERE delay_ns IS NOT NULL)
                    OR NOT EXISTS (SELECT 1 FROM run_placement WHERE wrong))
               AND NOT EXISTS (SELECT 1 FROM process p WHERE p.outcome <> 'finalized' OR p.lost OR NOT EXISTS
                       (SELECT 1 FROM event e WHERE e.rank = p.rank AND e.thread = 0 AND e.event = 1))),
     best (rank, length_ns, recorded_ns) AS (
         SELECT rank, length_ns, recorded_ns FROM computed_gains
         -- the replay of a million events would make the first overview half as long again
         WHERE (SELECT NOT many FROM asked) AND recorded_ns - length_ns >= 0.03 * recorded_ns
         ORDER BY length_ns LIMIT 1)
SELECT 'gain' AS kind, rank, length_ns / 1e9, recorded_ns / 1e9, (recorded_ns - length_ns) * 100.0 / recorded_ns
FROM best
UNION ALL SELECT 'not_forecast', NULL, NULL, NULL, NULL FROM asked WHERE many;
