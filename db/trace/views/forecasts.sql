-- What callsign whatif answers: a replay of the events with something changed. docs/whatif.md explains the questions.

-- shared: events, whatif
CREATE VIEW forecast_rows ( -- the rows of forecasts, forecast_paths and forecast_facts, as callsign finds them in one
        -- replay
    kind, -- a question, path, or the name of a fact
    question, -- its number; NULL: a fact
    rank, -- that is changed, or that has most of the part
    site, -- call site, likewise
    named_by, -- rank whose name of the object is shown
    object, -- number of the object on this rank
    region, -- number of the region
    value, -- ns of the run or part; facts: ns, ps of latency, or a count
    claimed, -- as in forecasts
    in_call, -- 1: a part in calls; 0: in the code before
    rank_ns, -- ns of the part on this rank
    distance -- of the fact: 0 core, 1 package, 2 node, 3 remote
) AS
SELECT kind, question, rank, site, named_by, object, region, value, claimed, in_call, rank_ns, distance
FROM computed_forecasts;

-- kept: events, whatif
CREATE VIEW forecasts ( -- how long the run would have taken with something changed: a row for each question that
        -- callsign whatif asks without options
    question, -- number
    kind, -- the question, as docs/whatif.md lists them
    rank, -- that is changed
    site, -- call site that is changed, or the code before it; those of the same line are changed, too
    object_name, -- of the communicator, window or file that is changed; similar ones are changed, too
    region, -- path of the region that is changed
    seconds, -- length of the run then; NULL: not claimed
    saved_seconds, -- how much shorter that is
    saved_percent, -- as share of the replayed run
    claimed -- 1; 0: the replay does not explain the run within 10 %
) AS
WITH run (ns) AS MATERIALIZED (SELECT value FROM forecast_rows WHERE kind = 'replayed_seconds')
SELECT f.question, f.kind, f.rank, f.site,
       CASE WHEN f.object THEN (SELECT label FROM labels n WHERE n.rank = f.named_by AND n.object = f.object) END,
       CASE WHEN f.region THEN (SELECT min(path) FROM region r WHERE r.region = f.region) END,
       CASE WHEN f.claimed THEN f.value / 1e9 END, CASE WHEN f.claimed THEN (run.ns - f.value) / 1e9 END,
       CASE WHEN f.claimed THEN 100.0 * (run.ns - f.value) / nullif(run.ns, 0) END, f.claimed
FROM forecast_rows f CROSS JOIN run
WHERE f.question IS NOT NULL AND f.kind <> 'path'
ORDER BY f.claimed DESC, f.value, f.kind, f.question;

-- kept: events, whatif
CREATE VIEW forecast_paths ( -- parts of critical paths, of 5 % or more: those of the run, and of the forecasts with the
        -- largest gain
    question, -- as in forecasts; 0: the run as it is
    part, -- in: calls at the site; before: the code before it
    site, -- call site; those of the same line are one
    seconds, -- of the path
    percent, -- as share of the path
    rank, -- most of the part is on this one
    rank_percent -- at least so much
) AS
SELECT p.question, iif(p.in_call, 'in', 'before'), p.site, p.value / 1e9, 100.0 * p.value / nullif(f.value, 0), p.rank,
       100.0 * p.rank_ns / p.value
FROM forecast_rows p LEFT JOIN forecast_rows f ON f.kind = 'replayed_seconds' AND p.question = 0
                                                  OR f.question = p.question AND f.kind <> 'path'
WHERE p.kind = 'path'
ORDER BY p.question, p.value DESC, p.site, 2;

-- kept: events, whatif
CREATE VIEW forecast_facts ( -- what the replay behind the forecasts found in the run
    name, -- events, ranks: how many. from_seconds, to_seconds, recorded_seconds: the replayed part of the run.
        -- replayed_seconds: its length in the replay. typical_seconds: likewise, with typical times for all transfers
        -- and calls. ideal_seconds: if they took no time. waiting_seconds: all threads, in calls that wait.
        -- unknown_seconds: part of it without a known partner. useful_seconds: all ranks, between calls.
        -- most_useful_seconds: the rank with most. latency_seconds, bytes_per_second: of messages over a distance
    distance, -- core, package, node or remote, as in traffic_pairs; NULL: the fact has none
    value -- seconds, bytes per second, or how many
) AS
SELECT kind, CASE distance WHEN 0 THEN 'core' WHEN 1 THEN 'package' WHEN 2 THEN 'node' WHEN 3 THEN 'remote' END,
       CASE WHEN kind = 'latency_seconds' THEN value / 1e12 WHEN kind GLOB '*_seconds' THEN value / 1e9 ELSE value END
FROM forecast_rows WHERE question IS NULL;
