-- Each row is the repeated code of the ranks that made at least 80 % of their calls on one processor.
-- column count: number of ranks
-- column ranks: these ranks
-- column repetitions: number of repetitions of the code between two call sites, if a thread has 20 or more
-- column seconds: their time, all ranks together
-- column shortest_seconds: their time if each took as long as the shortest one of the same code and rank
-- column longer_percent: how much longer they take
SELECT node, package, core, cpu AS processor, count(*) AS count, ranges(rank) AS ranks, sum(repetitions) AS repetitions,
       sum(seconds) AS seconds, sum(shortest_seconds) AS shortest_seconds,
       (sum(seconds) / nullif(sum(shortest_seconds), 0) - 1) * 100 AS longer_percent
FROM noise GROUP BY 1, 2, 3, 4 ORDER BY longer_percent DESC, 1, 2, 3, 4
