-- column rank: rank whose code it is; empty: see part
-- column part: before: the code before the calls from the site; in: these calls, without their waits; other: the rest
--   of the rank's code; unknown: before the events of all ranks begin, or within the error of the clocks
-- column site: call site
-- column seconds: waiting time of all ranks that the code caused; all rows add up to the wait states
-- column direct_seconds: waits for this rank, part of seconds
-- column indirect_seconds: waits that such waits caused, and so on
-- column percent: share of all waits
SELECT rank, part, min(site) AS site, sum(direct + indirect) AS seconds, sum(direct) AS direct_seconds,
       sum(indirect) AS indirect_seconds, sum(direct + indirect) * 100 / sum(sum(direct + indirect)) OVER () AS percent
FROM delay GROUP BY rank, part, site ORDER BY seconds DESC, rank, part, 3
