-- Each row is the code between two call sites; those on one source line count as one.
-- column from_site: its call site
-- column to_function: function that ends the code
-- column site: its call site
-- column stretches: number of stretches, all ranks together
-- column seconds: their time, all ranks together
-- column core_seconds: part of it on a core, scaled from what samples cover
-- column delay_seconds: runnable, without a core
-- column off_seconds: asleep, waiting for a lock or a disk, or stopped
-- column instructions: of the program, in user mode, as far as samples cover the time
-- column cycles: of the cores, likewise
-- column exact_percent: share of the time in stretches that had a sample of their own
-- column most_seconds: most time of a rank
-- column most_rank: the lowest rank with it
WITH code AS MATERIALIZED (
         SELECT rank, from_function, location(charged(from_site)) AS from_place, function,
                location(charged(site)) AS place, min(from_site) AS from_site, min(site) AS site,
                sum(stretches) AS stretches, sum(seconds) AS seconds, sum(core_seconds) AS core_seconds,
                sum(delay_seconds) AS delay_seconds, sum(off_seconds) AS off_seconds,
                CASE WHEN count(instructions) = count(*) THEN sum(instructions) END AS instructions,
                CASE WHEN count(cycles) = count(*) THEN sum(cycles) END AS cycles,
                sum(seconds * exact_percent) / nullif(sum(seconds), 0) AS exact
         FROM stretch_resources GROUP BY 1, 2, 3, 4, 5)
SELECT from_function, min(from_site) AS from_site, function AS to_function, min(site) AS site,
       sum(stretches) AS stretches, sum(seconds) AS seconds, sum(core_seconds) AS core_seconds,
       sum(delay_seconds) AS delay_seconds, sum(off_seconds) AS off_seconds,
       CASE WHEN count(instructions) = count(*) THEN sum(instructions) END AS instructions,
       CASE WHEN count(cycles) = count(*) THEN sum(cycles) END AS cycles,
       sum(seconds * exact) / nullif(sum(seconds), 0) AS exact_percent,
       max(seconds) AS most_seconds, rank AS most_rank -- the row with the maximum supplies it
FROM code GROUP BY from_function, from_place, function, place ORDER BY sum(seconds) DESC, 1, 3
