-- In the database that callsign compare fills: its tables run, figure and rule become the table change.

-- Names that differ by numbers only share an item, "row #" for "row 0" and "row 1", where not all runs have all of
-- them, or where one function created more than three of them.
CREATE TABLE pooled AS
SELECT kind, pattern, created_in
FROM (SELECT kind, pattern, created_in, communicator, count(DISTINCT run) AS runs FROM figure
      WHERE scope = 'item' AND level = 0 AND communicator <> '' GROUP BY 1, 2, 3, 4)
GROUP BY 1, 2, 3 HAVING count(*) > 1
       AND (min(runs) < (SELECT count(*) FROM run) OR (created_in <> '' AND count(*) > 3));

CREATE TABLE used AS
SELECT f.run, f.scope, f.metric, f.kind, f.communicator, f.created_in, f.function, f.caller, max(f.polls) AS polls,
       sum(f.total) AS total, sum(f.per_rank) AS per_rank
FROM figure f LEFT JOIN pooled p ON p.kind = f.kind AND p.pattern = f.pattern AND p.created_in = f.created_in
WHERE CASE WHEN p.pattern IS NULL THEN f.level = 0 ELSE f.level = 1 OR f.communicator = f.pattern END
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
CREATE INDEX by_item ON used (function, metric, communicator, caller, kind, created_in, scope, run);

CREATE TABLE item (
    item INTEGER PRIMARY KEY, scope TEXT, metric TEXT, kind TEXT, communicator TEXT, created_in TEXT, function TEXT,
    caller TEXT, polls INT, rule INT);
INSERT INTO item (scope, metric, kind, communicator, created_in, function, caller, polls)
SELECT scope, metric, kind, communicator, created_in, function, caller, max(polls) FROM used
GROUP BY 1, 2, 3, 4, 5, 6, 7;
-- A run without the item has none of it, unless that cannot be known. If runs have different numbers of ranks, one
-- rank is compared with one rank.
CREATE TABLE sample (item INT, run INT, side TEXT, value, total, PRIMARY KEY (item, run)) WITHOUT ROWID;
INSERT INTO sample
SELECT i.item, r.run, r.side,
       CASE WHEN (i.metric = 'leaks' AND r.unfinished) OR (i.metric = 'wait' AND r.incomplete) THEN NULL
            WHEN u.run IS NULL AND i.metric = 'code'
                 AND r.run NOT IN (SELECT run FROM figure WHERE scope = 'run' AND metric = 'code') THEN NULL
            WHEN u.run IS NULL THEN CASE i.scope WHEN 'item' THEN 0 END
            WHEN (SELECT min(ranks) < max(ranks) FROM run) THEN u.per_rank ELSE u.total END,
       coalesce(u.total, CASE i.scope WHEN 'item' THEN 0 END)
FROM item i CROSS JOIN run r
     LEFT JOIN used u ON u.function = i.function AND u.metric = i.metric AND u.communicator = i.communicator
                         AND u.caller = i.caller AND u.kind = i.kind AND u.created_in = i.created_in
                         AND u.scope = i.scope AND u.run = r.run;

-- A rule with a name is about all items that have it, together.
INSERT INTO item (scope, metric, kind, communicator, created_in, function, caller, polls, rule)
SELECT 'rule', r.metric, '', '', '', '', '',
       coalesce((SELECT max(i.polls) FROM item i
                 WHERE i.scope = 'item' AND i.metric = r.metric
                       AND r.name IN (i.function, i.communicator, i.caller, i.kind)), 0), r.rule
FROM rule r;
INSERT INTO sample
SELECT i.item, s.run, s.side, sum(s.value), sum(s.total)
FROM item i JOIN rule r ON r.rule = i.rule
     JOIN item of ON of.metric = r.metric
                     AND CASE WHEN r.name IS NULL THEN of.scope = 'run'
                              ELSE of.scope = 'item'
                                   AND r.name IN (of.function, of.communicator, of.caller, of.kind) END
     JOIN sample s ON s.item = of.item
GROUP BY 1, 2;

CREATE TABLE compared AS
SELECT i.*, s.base, s.new, s.base_total, s.new_total, s.base_runs, s.new_runs, s.base_least, s.base_most, s.new_least,
       s.new_most, i.metric IN ('time', 'wait', 'elapsed', 'code') OR i.polls OR s.base_least < s.base_most
                   OR s.new_least < s.new_most AS measured, s.p, s.low, s.high
FROM item i
     JOIN (SELECT item, median(CASE side WHEN 'base' THEN value END) AS base,
                  median(CASE side WHEN 'new' THEN value END) AS new,
                  median(CASE side WHEN 'base' THEN total END) AS base_total,
                  median(CASE side WHEN 'new' THEN total END) AS new_total,
                  count(CASE side WHEN 'base' THEN value END) AS base_runs,
                  count(CASE side WHEN 'new' THEN value END) AS new_runs,
                  min(CASE side WHEN 'base' THEN value END) AS base_least,
                  max(CASE side WHEN 'base' THEN value END) AS base_most,
                  min(CASE side WHEN 'new' THEN value END) AS new_least,
                  max(CASE side WHEN 'new' THEN value END) AS new_most,
                  rank_test(side = 'new', value) AS p, shift_low(side = 'new', value) AS low,
                  shift_high(side = 'new', value) AS high
           FROM sample GROUP BY item) s ON s.item = i.item;

-- 1: nearly all runs of one side began before those of the other, so a drift of the machine looks like a change.
CREATE TABLE sequence AS
SELECT rank_test(side = 'new', position) <= 0.05 AS one_after_other
FROM (SELECT side, rank() OVER (ORDER BY began_utc_ns) AS position FROM run);

-- weight: the change as a part of the figure of the whole run. Items with at least 1 % of the whole are tested
-- together, or one in twenty would seem to change by chance; so are the figures of the whole run.
CREATE TABLE change AS
WITH whole (metric, base, new) AS ( -- of waiting: a part of the MPI time
         SELECT metric, base, new FROM compared WHERE scope = 'run' AND metric <> 'wait'
         UNION ALL SELECT 'wait', base, new FROM compared WHERE scope = 'run' AND metric = 'time'),
     weighed AS (
         SELECT c.*, abs(c.new - c.base)
                / nullif(max(coalesce(w.base, c.base), coalesce(w.new, c.new), c.base, c.new) * 1.0, 0) AS weight,
                max(c.base, c.new) >= 0.01 * max(coalesce(w.base, c.base), coalesce(w.new, c.new))
                    AND max(c.base, c.new) > 0 AS large,
                c.base_runs >= 4 AND c.new_runs >= 4 AS enough
         FROM compared c LEFT JOIN whole w ON w.metric = c.metric),
     family (scope, p) AS MATERIALIZED (
         SELECT w.scope, family_test(s.item, s.run, s.side = 'new', s.value)
         FROM weighed w JOIN sample s ON s.item = w.item
         WHERE w.scope <> 'rule' AND w.measured AND w.enough AND w.large GROUP BY w.scope),
     adjusted (item, p) AS MATERIALIZED (
         SELECT CAST(j.key AS INT), j.value FROM family f, json_each(f.p) j),
     -- If the whole run became slower, items that became slower may be the reason.
     moved (slower, faster) AS (
         SELECT max(w.new > w.base AND a.p <= 0.05), max(w.new < w.base AND a.p <= 0.05)
         FROM weighed w JOIN adjusted a ON a.item = w.item
         WHERE w.scope = 'run' AND w.metric IN ('time', 'elapsed')),
     judged AS (
         SELECT w.*, a.p AS adjusted_p, m.slower, m.faster
         FROM weighed w, moved m LEFT JOIN adjusted a ON a.item = w.item)
SELECT item, rule, scope, metric, nullif(kind, '') AS kind, nullif(communicator, '') AS communicator,
       nullif(created_in, '') AS created_in, nullif(function, '') AS function, nullif(caller, '') AS caller, base, new,
       new - base AS change, (new - base) * 100.0 / nullif(base, 0) AS change_percent,
       CASE WHEN measured AND enough THEN low END AS change_low,
       CASE WHEN measured AND enough THEN high END AS change_high, base_total, new_total, base_runs, new_runs,
       base_least, base_most, new_least, new_most, measured, p, adjusted_p, weight,
       CASE WHEN base IS NULL OR new IS NULL THEN 'unknown'
            WHEN base = new AND base_least = base_most AND new_least = new_most THEN 'same'
            WHEN NOT measured THEN CASE WHEN new > base THEN 'more' ELSE 'less' END
            WHEN NOT enough THEN 'untested'
            WHEN new = base OR (scope = 'item' AND NOT large) OR abs(new - base) < 0.01 * base THEN 'same'
            WHEN adjusted_p <= 0.05 THEN CASE WHEN new > base THEN 'more' ELSE 'less' END
            WHEN p <= 0.05 AND new > base AND slower THEN 'perhaps more'
            WHEN p <= 0.05 AND new < base AND faster THEN 'perhaps less'
            ELSE 'unclear' END AS verdict
FROM judged;
