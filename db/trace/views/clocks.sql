-- Views: how the clocks of the nodes differ, and how well that is known.

CREATE VIEW clocks ( -- one row per node: its clock, as measured when the run was merged. No rank leaves a
        -- synchronizing collective before all have entered it; that limits how far clocks are apart
    node, -- machine
    ranks, -- on it
    first_rank, -- its lowest rank
    offset_ns, -- added to its UTC clock at the start of the run: how far it was behind the clock of the lowest rank
    drift_ppb, -- how much slower it runs, in nanoseconds per second
    error_ns, -- how far its instants may be wrong between MPI_Init and MPI_Finalize; NULL: nothing limits it, its UTC
        -- stands
    contradiction_ns, -- largest contradiction of the limits (see clock_contradictions): a clock ran unevenly,
        -- or ranks counted different calls; NULL: none
    calls -- synchronizing collectives that its ranks recorded
) AS
SELECT p.node, count(*), min(p.rank), (SELECT zero_utc_ns FROM process ORDER BY rank < 0, rank LIMIT 1) - p.zero_utc_ns,
       p.clock_drift_ppb, p.clock_error_ns, p.clock_contradiction_ns, sum(coalesce(s.calls, 0))
FROM process p LEFT JOIN (SELECT rank, count(*) AS calls FROM synchronization GROUP BY rank) s ON s.rank = p.rank
GROUP BY p.node;

CREATE VIEW clock_contradictions ( -- calls that one rank left before another entered, by the clocks of the run. The
        -- difference is more than a microsecond and more than the error of both clocks: limits contradict each
        -- other, and not all can be met
    communicator, -- communicator of the call
    uid, -- and its uid
    nth, -- number of the call among the synchronizing collectives of the communicator
    entered_rank, -- last rank to enter
    entered_node, -- its machine
    entered_ns, -- when
    left_rank, -- first rank to leave
    left_node, -- its machine
    left_ns, -- when
    before_ns, -- time from the leave to the later enter
    error_ns -- possible error of both clocks together; a smaller difference is no contradiction
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
