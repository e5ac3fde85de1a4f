-- Views: noise of the machine, from code that ranks repeat. docs/why.md explains the figures.
--
-- Repeated code: the code between two call sites on one object, with 20 repetitions of a thread or more. Its shortest
-- repetition had the least noise. The recording keeps the shortest repetition and the sum, not the length of each one.
-- Code whose mean is more than ten times its shortest repetition has several kinds of work.

CREATE VIEW noise ( -- how much longer repeated code takes than its shortest repetitions, by rank
    rank, -- rank of the process
    node, -- machine
    package, -- package of at least 80 % of its calls; NULL: none, or unknown
    core, -- core, within the package, likewise
    cpu, -- processor, likewise
    repetitions, -- number of repetitions of all such code
    seconds, -- their time
    shortest_seconds, -- their time if each took as long as the shortest one of the same code
    longer_percent -- how much longer they take
) AS
WITH place AS MATERIALIZED (
         SELECT rank, max(package) AS package, max(core) AS core, max(cpu) AS cpu
         FROM (SELECT rank, package, NULL AS core, NULL AS cpu FROM rank_processors
               GROUP BY rank, package HAVING sum(percent) >= 80
               UNION ALL SELECT rank, NULL, core, NULL FROM rank_processors
               GROUP BY rank, package, core HAVING sum(percent) >= 80
               UNION ALL SELECT rank, NULL, NULL, cpu FROM rank_processors WHERE percent >= 80)
         GROUP BY rank)
SELECT s.rank, p.node, l.package, l.core, l.cpu, sum(s.stretches), sum(s.time_ns) / 1e9,
       sum(1.0 * s.stretches * s.min_ns) / 1e9,
       (sum(s.time_ns) / nullif(sum(1.0 * s.stretches * s.min_ns), 0) - 1) * 100
FROM stretch s JOIN process p ON p.rank = s.rank LEFT JOIN place l ON l.rank = s.rank
WHERE s.rank >= 0 AND s.site <> 0 AND s.stretches >= 20 AND s.time_ns <= 10.0 * s.stretches * s.min_ns
GROUP BY s.rank;

-- kept: overview
CREATE VIEW slow_findings ( -- nodes, packages and cores on which repeated code takes longer for every rank on them: a
    -- part of findings
    -- The code that all ranks repeat is compared, by its shortest repetitions: other processes and chance hardly
    -- lengthen these. The ranks elsewhere must differ less from each other than from those of the slow place. The time
    -- on cores must differ, too, by half as many percent or more: of short code it is an estimate, too small by as much
    -- on all ranks. Hardware counters tell a slower core from more work; without them two ranks or more must be there.
    kind, -- slow_place
    processes, -- number of ranks on it
    node, -- machine
    package, -- package; NULL: the whole node
    core, -- core within the package; NULL: the whole package
    subject, -- node, package, core
    nodes, -- number of other nodes, packages or cores that are not slow
    percent, -- how much longer the code takes, on average
    cause, -- work: more work, or a slower core; slow_core: by hardware counters
    clock_ghz, -- cycles for each nanosecond in the program on a core; NULL: no such counter
    median_ghz -- the same of the ranks elsewhere, on average
) AS
WITH place (subject, node, package, core, rank) AS MATERIALIZED (
         SELECT 'node', node, NULL, NULL, rank FROM process WHERE rank >= 0
         UNION ALL SELECT 'package', node, package, NULL, rank FROM rank_processors WHERE package IS NOT NULL
         GROUP BY node, package, rank HAVING sum(percent) >= 80
         UNION ALL SELECT 'core', node, package, core, rank FROM rank_processors WHERE core IS NOT NULL
         GROUP BY node, package, core, rank HAVING sum(percent) >= 80),
     -- three places of a kind or more, and means to tell them from their ranks; else nothing is computed
     level AS MATERIALIZED (
         SELECT subject FROM (SELECT subject, count(*) AS ranks FROM place GROUP BY subject, node, package, core)
         GROUP BY 1 HAVING count(*) >= 3 AND (max(ranks) >= 2 OR EXISTS (SELECT 1 FROM stretch
                                                                         WHERE instructions IS NOT NULL))),
     -- all ranks must have the code: one rank tells which to read of the others
     chosen (from_function, from_site, function, site) AS MATERIALIZED (
         SELECT DISTINCT from_function, from_site, function, site FROM stretch
         WHERE rank = (SELECT min(rank) FROM stretch WHERE rank >= 0) AND site <> 0 AND stretches >= 20
               AND time_ns <= 10.0 * stretches * min_ns AND EXISTS (SELECT 1 FROM level)),
     code AS MATERIALIZED (
         SELECT s.rank, s.from_function, s.from_site, s.function, s.site, sum(s.stretches) AS n,
                sum(1.0 * s.time_ns) AS ns, sum(1.0 * s.stretches * s.min_ns) AS least_ns,
                sum(s.core_ns * (s.time_ns * 1.0 / s.seen_ns)) AS core_ns,
                CASE WHEN count(s.instructions) = count(*) THEN sum(s.instructions * (s.time_ns * 1.0 / s.seen_ns)) END
                    AS instructions,
                CASE WHEN count(s.cycles) = count(*) THEN sum(s.cycles) END AS cycles,
                sum(s.core_ns - s.system_ns) AS user_ns
         FROM stretch s CROSS JOIN chosen USING (from_function, from_site, function, site)
         WHERE s.rank >= 0 AND s.stretches >= 20 AND s.time_ns <= 10.0 * s.stretches * s.min_ns
         GROUP BY 1, 2, 3, 4, 5 HAVING min(s.seen_ns * 5 >= s.time_ns * 4 AND s.seen_ns > 0)),
     run (ranks, ns) AS MATERIALIZED (SELECT count(*), total(thread_seconds) * 1e9 FROM processes WHERE rank >= 0),
     common AS MATERIALIZED (
         SELECT from_function, from_site, function, site, min(n) AS n FROM code
         GROUP BY 1, 2, 3, 4 HAVING count(*) = (SELECT ranks FROM run) AND max(n) <= 1.25 * min(n)),
     -- as many repetitions on each rank: as long as the shortest one, and as they are
     one AS MATERIALIZED (
         SELECT c.rank, sum(m.n * c.least_ns / c.n) AS least_ns, sum(m.n * c.ns / c.n) AS ns,
                sum(m.n * c.core_ns / c.n) AS core_ns, sum(m.n * c.instructions / c.n) AS instructions,
                count(c.instructions) = count(*) AS counted, sum(c.cycles) * 1.0 / nullif(sum(c.user_ns), 0) AS ghz
         FROM common m JOIN code c ON c.from_function = m.from_function AND c.from_site = m.from_site
                                      AND c.function = m.function AND c.site = m.site
         GROUP BY 1),
     middle (ns) AS MATERIALIZED (
         SELECT avg(least_ns) FROM (SELECT least_ns, row_number() OVER (ORDER BY least_ns) AS nth, count(*) OVER () AS n
                                    FROM one)
         WHERE nth IN ((n + 1) / 2, (n + 2) / 2)),
     -- if the shortest repetitions are less than half of the time on a core, they tell little about it
     known AS MATERIALIZED (
         SELECT count(*) = (SELECT ranks FROM run) AND sum(least_ns) * 2 >= sum(core_ns)
                AND sum(ns) >= 0.05 * (SELECT ns FROM run) AND min(core_ns) IS NOT NULL AS yes FROM one),
     each AS MATERIALIZED (
         SELECT p.subject, p.node, p.package, p.core, count(*) AS ranks, min(o.least_ns) AS least_ns,
                max(o.least_ns) AS most_ns, sum(o.least_ns) AS sum_ns, sum(o.core_ns) AS core_ns,
                sum(o.instructions) AS instructions, min(o.counted) AS counted, avg(o.ghz) AS ghz,
                count(o.ghz) AS clocks, min(o.least_ns) >= 1.05 * m.ns AS slow
         FROM place p JOIN level l ON l.subject = p.subject JOIN one o ON o.rank = p.rank, middle m
         WHERE (SELECT yes FROM known)
         GROUP BY 1, 2, 3, 4),
     other AS MATERIALIZED (
         SELECT subject, count(*) AS places, sum(ranks) AS ranks, min(least_ns) AS least_ns, max(most_ns) AS most_ns,
                sum(sum_ns) / sum(ranks) AS mean_ns, sum(core_ns) / sum(ranks) AS core_ns,
                sum(instructions) / sum(ranks) AS instructions, min(counted) AS counted, avg(ghz) AS ghz
         FROM each WHERE NOT slow GROUP BY 1),
     found AS MATERIALIZED (
         SELECT e.*, o.places, (e.sum_ns / e.ranks / o.mean_ns - 1) * 100 AS percent, o.ghz AS other_ghz,
                -- what more instructions explain is no slower core
                CASE WHEN e.counted AND o.counted
                     THEN (e.instructions / e.ranks / o.instructions - 1) * 2 < e.sum_ns / e.ranks / o.mean_ns - 1
                     END AS slower
         FROM each e JOIN other o ON o.subject = e.subject
         WHERE e.slow AND o.places >= 2
               AND (SELECT count(*) FROM each s WHERE s.slow AND s.subject = e.subject) < o.places
               -- all ranks have such a place, or else those without may be as slow
               AND (SELECT sum(ranks) FROM each s WHERE s.subject = e.subject) = (SELECT ranks FROM run)
               AND e.least_ns - o.most_ns >= o.most_ns - o.least_ns
               AND (e.core_ns / e.ranks / nullif(o.core_ns, 0) - 1) * 2 >= e.sum_ns / e.ranks / o.mean_ns - 1)
SELECT 'slow_place', f.ranks, f.node, f.package, f.core, f.subject, f.places, f.percent,
       iif(f.slower, 'slow_core', 'work'), iif(f.clocks = f.ranks, f.ghz, NULL),
       iif(f.clocks = f.ranks, f.other_ghz, NULL)
FROM found f
WHERE coalesce(f.slower, f.ranks >= 2)
      AND NOT EXISTS (SELECT 1 FROM found w WHERE w.node IS f.node AND (w.subject = 'node' AND f.subject <> 'node'
                      OR w.subject = 'package' AND f.subject = 'core' AND w.package = f.package))
ORDER BY f.percent DESC, f.node, f.package, f.core LIMIT 5;
