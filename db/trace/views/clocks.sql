-- Views: the clocks of the nodes: how they stood to each other, and what binds them.

CREATE VIEW clocks ( -- one row per node: what was found of its clock when the run was merged. Nobody leaves a
        -- synchronizing collective before everybody has entered it: that bounds by how much clocks are apart
    node, -- machine
    ranks, -- on it
    first_rank, -- the lowest of them
    offset_ns, -- added to its UTC clock when the run began: how far it was behind that of the lowest rank
    drift_ppb, -- by how much it runs slower, in nanoseconds per second
    error_ns, -- how far its instants may be wrong between MPI_Init and MPI_Finalize; NULL: nothing bounds it, its UTC
        -- stands
    contradiction_ns, -- bounds contradict each other by so much (see clock_contradictions): a clock did not run evenly,
        -- or ranks did not count the same calls; NULL: they do not
    calls -- synchronizing collectives that its ranks kept
) AS
SELECT p.node, count(*), min(p.rank), (SELECT zero_utc_ns FROM process ORDER BY rank < 0, rank LIMIT 1) - p.zero_utc_ns,
       p.clock_drift_ppb, p.clock_error_ns, p.clock_contradiction_ns, sum(coalesce(s.calls, 0))
FROM process p LEFT JOIN (SELECT rank, count(*) AS calls FROM synchronization GROUP BY rank) s ON s.rank = p.rank
GROUP BY p.node;

CREATE VIEW clock_contradictions ( -- calls that somebody left before another one entered, by the clocks of the run, by
        -- more than a microsecond and more than both clocks may be wrong: where bounds contradict each other, not all
        -- can be kept
    communicator, -- communicator of the call
    uid, -- and its uid
    nth, -- number of the call among the synchronizing collectives on it
    entered_rank, -- the last to enter
    entered_node, -- its machine
    entered_ns, -- when
    left_rank, -- the first to leave
    left_node, -- its machine
    left_ns, -- when
    before_ns, -- how long before the other one entered
    error_ns -- how far both clocks may be wrong together: what is less is no contradiction
) AS
WITH call (uid, nth, rank, node, communicator, error_ns, entered_ns, left_ns) AS (
         SELECT o.uid, s.nth, s.rank, p.node, s.communicator, p.clock_error_ns, s.entered_ns, s.left_ns
         FROM synchronization s JOIN object o ON o.rank = s.rank AND o.object = s.communicator AND o.uid IS NOT NULL
              JOIN process p ON p.rank = s.rank),
     entered (uid, nth, rank, node, communicator, error_ns, ns) AS (
         SELECT uid, nth, rank, node, communicator, error_ns, max(entered_ns) FROM call WHERE entered_ns IS NOT NULL
         GROUP BY uid, nth),
     left (uid, nth, rank, node, error_ns, ns) AS (
         SELECT uid, nth, rank, node, error_ns, min(left_ns) FROM call WHERE left_ns IS NOT NULL GROUP BY uid, nth)
SELECT l.label, e.uid, e.nth, e.rank, e.node, e.ns, x.rank, x.node, x.ns, e.ns - x.ns,
       coalesce(e.error_ns, 0) + coalesce(x.error_ns, 0)
FROM entered e JOIN left x ON x.uid = e.uid AND x.nth = e.nth AND x.rank <> e.rank
          AND e.ns - x.ns > max(1000, coalesce(e.error_ns, 0) + coalesce(x.error_ns, 0))
     LEFT JOIN labels l ON l.rank = e.rank AND l.object = e.communicator
ORDER BY e.ns - x.ns DESC;
