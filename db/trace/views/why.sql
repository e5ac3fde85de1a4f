-- Views: code between MPI calls, and why ranks are late. docs/why.md explains the figures.
--
-- Samples of the kernel's counters cover a part of the time: seen. Times on a core and without one are scaled from this
-- part to all of the time; counts and bytes are not.

CREATE VIEW stretches ( -- code between MPI calls: the table stretch, with names
    rank, -- rank of the process
    thread, -- number of the thread, as in threads
    communicator, -- communicator of the call that ends the stretch: its name in reports; NULL: none
    communicator_uid, -- its id, as in run_communicators
    object_name, -- window or file of that call: its name in reports; NULL: neither
    from_function, -- function before the stretch; NULL: unknown
    from_site, -- its call site; 0: unknown, or one of too many
    from_location, -- call site: function, file and line
    function, -- function that ends the stretch
    site, -- its call site; 0: unknown
    location, -- call site: function, file and line
    region, -- innermost region of the program in which the code lay: its path in regions; NULL: none
    stretches, -- number of stretches
    seconds, -- their total time
    least_seconds, -- shortest one
    most_seconds, -- longest one
    call_seconds -- total time of the calls that ended them
) AS
SELECT s.rank, s.thread, n.label, o.uid, w.label, b.name, s.from_site, p.location, f.name, s.site, l.location,
       r.path, s.stretches, s.time_ns / 1e9, s.min_ns / 1e9, s.max_ns / 1e9, s.call_ns / 1e9
FROM stretch s LEFT JOIN function f ON f.function = s.function LEFT JOIN function b ON b.function = s.from_function
     LEFT JOIN sites l ON l.site = s.site LEFT JOIN sites p ON p.site = s.from_site
     LEFT JOIN region r ON r.rank = s.rank AND r.region = s.region
     LEFT JOIN object o ON o.rank = s.rank AND o.object = s.communicator
     LEFT JOIN labels n ON n.rank = s.rank AND n.object = s.communicator
     LEFT JOIN labels w ON w.rank = s.rank AND w.object = s.object AND s.object <> 0;

CREATE VIEW stretch_resources ( -- what each rank does in the code between two call sites, as the kernel counts it
    rank, -- rank of the process
    from_function, from_site, -- as in stretches
    function, site, -- as in stretches
    stretches, -- number of stretches, all threads together
    seconds, -- their total time
    seen_percent, -- share of it that samples cover
    exact_percent, -- share of it in stretches that had a sample of their own
    core_seconds, -- on a core; this and the next three are scaled to all of the time. NULL: no sample
    system_seconds, -- part of core_seconds in the kernel: an estimate below 100 ms
    delay_seconds, -- runnable, without a core; NULL: the kernel does not tell
    off_seconds, -- the rest: asleep, waiting for a lock or a disk, or stopped; NULL as delay_seconds
    sleeps, -- voluntary switches in the time that samples cover
    switches, -- involuntary switches
    minor_faults, -- page faults without the disk
    major_faults, -- page faults that read the disk
    instructions, -- in user mode, in the time that samples cover; NULL: the machine has or allows no such counter
    cycles, -- cycles of the core, likewise
    counter_1, -- first counter that --counters named, likewise
    counter_2, -- second one
    read_bytes, -- bytes that system calls of the process read, also from files in memory, pipes and sockets
    written_bytes, -- bytes that they wrote, likewise
    disk_bytes, -- part of these from or to storage
    others_seconds, -- time on a core of other threads of the process
    throttled_seconds, -- time for which a quota stopped the control group, added up over its cores; NULL: no quota
    steal_seconds, -- time that the hypervisor took processors of the node away; NULL: the kernel does not tell
    busy_threads, -- other threads of the node that were on a core or wanted one, on average; NULL: the kernel does not
        -- tell, or the node was not looked at in this code
    call_seconds -- total time of the calls that ended the stretches
) AS
SELECT s.rank, b.name, s.from_site, f.name, s.site, sum(s.stretches), sum(s.time_ns) / 1e9,
       sum(s.seen_ns) * 100.0 / nullif(sum(s.time_ns), 0), sum(s.exact_ns) * 100.0 / nullif(sum(s.time_ns), 0),
       sum(s.core_ns) * (sum(s.time_ns) / 1e9) / nullif(sum(s.seen_ns), 0),
       sum(s.system_ns) * (sum(s.time_ns) / 1e9) / nullif(sum(s.seen_ns), 0),
       max(0, min(sum(s.delay_ns), sum(s.seen_ns) - sum(s.core_ns))) * (sum(s.time_ns) / 1e9)
       / nullif(sum(s.seen_ns), 0),
       max(0, sum(s.seen_ns) - sum(s.core_ns) - sum(s.delay_ns)) * (sum(s.time_ns) / 1e9) / nullif(sum(s.seen_ns), 0),
       sum(s.sleeps), sum(s.switches), sum(s.minor_faults), sum(s.major_faults),
       CASE WHEN count(s.instructions) = count(*) THEN sum(s.instructions) END,
       CASE WHEN count(s.cycles) = count(*) THEN sum(s.cycles) END,
       CASE WHEN count(s.counter_1) = count(*) THEN sum(s.counter_1) END,
       CASE WHEN count(s.counter_2) = count(*) THEN sum(s.counter_2) END, sum(s.read_bytes),
       sum(s.written_bytes), sum(s.disk_bytes), sum(s.others_ns) / 1e9, sum(s.throttled_ns) / 1e9,
       sum(s.steal_ns) / 1e9, nullif(sum(s.busy_ns), 0) * 1.0 / nullif(sum(s.seen_ns), 0), sum(s.call_ns) / 1e9
FROM stretch s LEFT JOIN function f ON f.function = s.function LEFT JOIN function b ON b.function = s.from_function
GROUP BY s.rank, s.from_function, s.from_site, s.function, s.site;

CREATE VIEW stretch_fifths ( -- the code between two call sites in each fifth of the run between MPI_Init and
        -- MPI_Finalize, all threads of a rank together; no row: no sample tells, or it is less than a thousandth of
        -- the run. Samples are at most 50 ms apart while the rank makes calls. 12 to 24 instants of the run are kept;
        -- in between the time is taken to grow evenly
    rank, -- rank of the process
    from_function, from_site, -- as in stretches
    function, site, -- as in stretches
    fifth, -- 1 to 5
    seconds -- total time in it, about
) AS
WITH part AS MATERIALIZED (
         SELECT s.rank, b.name AS from_function, s.from_site, f.name AS function, s.site,
                sum(s.fifth_1_ns) / 1e9 AS one, sum(s.fifth_2_ns) / 1e9 AS two, sum(s.fifth_3_ns) / 1e9 AS three,
                sum(s.fifth_4_ns) / 1e9 AS four, sum(s.fifth_5_ns) / 1e9 AS five
         FROM stretch s LEFT JOIN function f ON f.function = s.function
              LEFT JOIN function b ON b.function = s.from_function
         WHERE s.fifth_1_ns IS NOT NULL GROUP BY s.rank, s.from_function, s.from_site, s.function, s.site)
SELECT rank, from_function, from_site, function, site, 1, one FROM part
UNION ALL SELECT rank, from_function, from_site, function, site, 2, two FROM part
UNION ALL SELECT rank, from_function, from_site, function, site, 3, three FROM part
UNION ALL SELECT rank, from_function, from_site, function, site, 4, four FROM part
UNION ALL SELECT rank, from_function, from_site, function, site, 5, five FROM part;

-- kept: overview
CREATE VIEW rank_usage ( -- how each rank spends its time, all threads together, and what it needs
    rank, -- rank of the process
    node, -- machine
    outside_seconds, -- time between MPI calls
    seen_percent, -- share of it that samples cover
    exact_percent, -- share of it in stretches that had a sample of their own
    core_seconds, -- part of outside_seconds on a core, scaled; NULL: no sample
    delay_seconds, -- part of it runnable without a core, scaled; NULL: the kernel does not tell
    off_seconds, -- the rest: asleep, waiting for a lock or a disk, or stopped, scaled; NULL as delay_seconds
    mpi_seconds, -- time inside MPI
    mpi_delay_seconds, -- part of it runnable without a core, in calls that samples cover; NULL as delay_seconds
    cpu_seconds, -- time on cores of all threads, until the last sample; NULL: no sample
    system_seconds, -- part of cpu_seconds in the kernel
    peak_bytes, -- most resident memory
    read_bytes, -- read by system calls, files in memory, pipes and sockets included; NULL: the kernel does not tell
    written_bytes, -- written, likewise
    disk_bytes -- read from storage and written to it; NULL: the kernel does not tell
) AS
WITH spent AS MATERIALIZED (
         SELECT rank, sum(time_ns) AS time_ns, sum(seen_ns) AS seen_ns, sum(exact_ns) AS exact_ns,
                sum(core_ns) AS core_ns, sum(delay_ns) AS delay_ns, sum(call_delay_ns) AS call_delay_ns
         FROM stretch GROUP BY rank)
SELECT p.rank, p.node, s.time_ns / 1e9, s.seen_ns * 100.0 / nullif(s.time_ns, 0),
       s.exact_ns * 100.0 / nullif(s.time_ns, 0), s.core_ns * (s.time_ns / 1e9) / nullif(s.seen_ns, 0),
       max(0, min(s.delay_ns, s.seen_ns - s.core_ns)) * (s.time_ns / 1e9) / nullif(s.seen_ns, 0),
       max(0, s.seen_ns - s.core_ns - s.delay_ns) * (s.time_ns / 1e9) / nullif(s.seen_ns, 0), p.mpi_ns / 1e9,
       s.call_delay_ns / 1e9, (u.user_ns + u.system_ns) / 1e9, u.system_ns / 1e9, u.peak_bytes, u.read_bytes,
       u.written_bytes, u.disk_read_bytes + u.disk_written_bytes
FROM process p LEFT JOIN spent s ON s.rank = p.rank LEFT JOIN process_usage u ON u.rank = p.rank
WHERE s.rank IS NOT NULL OR u.rank IS NOT NULL;

-- kept: overview
CREATE VIEW run_usage ( -- one row: what the ranks of the run need; no row: unknown
    ranks, -- ranks with known figures
    least_peak_bytes, -- least peak of resident memory
    least_rank, -- the lowest rank with it
    median_peak_bytes, -- median of the ranks
    most_peak_bytes, -- most
    most_rank, -- the lowest rank with it
    cpu_seconds, -- time on cores, all ranks together
    system_seconds, -- part of it in the kernel
    read_bytes, -- read by system calls, all ranks together; NULL: unknown
    written_bytes, -- written, likewise
    disk_bytes -- read from storage and written to it
) AS
WITH ordered AS (
         SELECT *, row_number() OVER (ORDER BY peak_bytes, rank) AS low,
                row_number() OVER (ORDER BY peak_bytes DESC, rank) AS high, count(*) OVER () AS ranks
         FROM rank_usage WHERE rank >= 0 AND peak_bytes > 0)
SELECT ranks, min(peak_bytes), max(CASE low WHEN 1 THEN rank END),
       avg(CASE WHEN low IN ((ranks + 1) / 2, (ranks + 2) / 2) THEN peak_bytes END), max(peak_bytes),
       max(CASE high WHEN 1 THEN rank END), sum(cpu_seconds), sum(system_seconds), sum(read_bytes), sum(written_bytes),
       sum(disk_bytes)
FROM ordered GROUP BY ranks;

CREATE VIEW node_business ( -- one row: how busy the nodes are
    busy_threads -- other threads of its node that were on a core or wanted one, on average over the ranks; NULL: the
        -- kernel does not tell
) AS
SELECT round(sum(busy_ns) * 1.0 / nullif(sum(node_ns), 0), 1)
FROM process_usage WHERE rank >= 0 AND busy_ns IS NOT NULL;

-- kept: overview
CREATE VIEW core_findings ( -- all ranks lack cores alike, so that none of them can be blamed for it: a part of findings
    kind, -- no_cores
    processes, -- number of ranks
    cores, -- number of cores that they may use, if there are fewer than ranks, and the ranks themselves use 80 % of
        -- them or more; else NULL: other processes may have the cores
    cpu_quota, -- least number of processors that control groups allow. NULL: that is enough, or the groups were stopped
        -- for less than half of the time that ranks wait
    busy_threads, -- other threads of the node that were on a core or wanted one, on average over the ranks, if neither
        -- cores nor cpu_quota says why; NULL: one does, or the kernel does not tell
    percent, -- share of the ranks' time outside MPI in which they wait for a core
    least, -- least share of a rank
    most -- most
) AS
WITH share (rank, percent, delay_seconds, outside_seconds, seen) AS MATERIALIZED (
         SELECT rank, delay_seconds * 100.0 / outside_seconds, delay_seconds, outside_seconds,
                outside_seconds * seen_percent / 100 >= 0.1
         FROM rank_usage WHERE rank >= 0),
     busy (cores, throttled_ns) AS MATERIALIZED (
         SELECT total(u.cpu_seconds) / nullif(max(p.seconds), 0),
                (SELECT max(throttled_ns) FROM process_usage WHERE rank >= 0)
         FROM rank_usage u JOIN processes p ON p.rank = u.rank WHERE u.rank >= 0),
     why (cores, cpu_quota) AS (
         SELECT CASE WHEN p.cores < p.ranks AND b.cores >= 0.8 * p.cores THEN p.cores END,
                CASE WHEN b.throttled_ns >= 5e8 * (SELECT avg(delay_seconds) FROM share) THEN p.cpu_quota END
         FROM run_placement p, busy b)
SELECT 'no_cores', count(*), w.cores, w.cpu_quota,
       CASE WHEN w.cores IS NULL AND w.cpu_quota IS NULL THEN (SELECT busy_threads FROM node_business) END,
       sum(s.delay_seconds) * 100 / sum(s.outside_seconds), min(s.percent), max(s.percent)
FROM share s, why w
GROUP BY w.cores, w.cpu_quota
HAVING count(*) > 1 AND count(s.percent) = count(*) AND min(s.seen) AND min(s.percent) >= 10
       AND min(s.percent) * 2 >= max(s.percent)
       AND sum(s.delay_seconds) >= 0.05 * (SELECT total(thread_seconds) FROM processes WHERE rank >= 0);

-- kept: overview
CREATE VIEW core_wait_findings ( -- all ranks wait for cores, in MPI or outside, if core_findings does not say so: a
        -- part of findings. Ranks that poll in MPI lose nothing by it while they wait for a rank: one may be late, too
    kind, -- cores_wait
    processes, -- number of ranks
    cores, -- as in core_findings
    subject, -- inside: more than half of these waits are in MPI; NULL: not so
    busy_threads, -- as in core_findings, if cores is NULL
    percent, -- share of the ranks' time, in MPI and outside, in which they wait for a core
    least, -- least share of a rank
    most -- most
) AS
WITH share (rank, percent, delay_seconds, seconds, outside_seconds, cpu_seconds, lived) AS MATERIALIZED (
         SELECT t.rank, sum(t.delay_ns) * 100.0 / nullif(sum(t.time_ns), 0), sum(t.delay_ns) / 1e9,
                sum(t.time_ns) / 1e9, u.delay_seconds, u.cpu_seconds, p.seconds
         FROM thread_usage t JOIN processes p ON p.rank = t.rank JOIN rank_usage u ON u.rank = t.rank
         WHERE t.rank >= 0
         GROUP BY t.rank HAVING count(t.delay_ns) = count(*) AND sum(t.time_ns) >= 1e8
                            AND sum(t.time_ns) >= 0.8e9 * (p.thread_seconds - coalesce(p.lifecycle_seconds, 0))),
     found (processes, cores, subject, percent, least, most) AS (
         SELECT count(*),
                CASE WHEN p.cores < p.ranks AND sum(s.cpu_seconds) >= 0.8 * p.cores * max(s.lived) THEN p.cores END,
                CASE WHEN sum(s.outside_seconds) * 2 < sum(s.delay_seconds) THEN 'inside' END,
                sum(s.delay_seconds) * 100 / sum(s.seconds), min(s.percent), max(s.percent)
         FROM run_placement p CROSS JOIN share s
         WHERE NOT EXISTS (SELECT 1 FROM core_findings)
         GROUP BY p.ranks, p.cores HAVING count(*) > 1 AND count(*) = p.ranks AND min(s.percent) >= 10
                AND min(s.percent) * 2 >= max(s.percent))
SELECT 'cores_wait', processes, cores, subject,
       CASE WHEN cores IS NULL THEN (SELECT busy_threads FROM node_business) END, percent, least, most
FROM found;

-- kept: overview
CREATE VIEW varying_findings ( -- code whose time differs from one repetition to the next on all ranks alike, so that
        -- others wait for another rank each time: a part of findings
    kind, -- varying_code
    processes, -- number of ranks
    from_function, -- function before the code
    from_site, -- its call site
    cause_function, -- function that ends the code
    cause_site, -- its call site
    calls, -- least number of repetitions of a rank
    mean_seconds, -- mean time of a repetition
    median_seconds, -- shortest one of all ranks
    seconds, -- longest one
    percent -- share of the ranks' time above the shortest repetition of each rank
) AS
WITH -- what is said must be so on each rank: one rank tells which code to read of all others
     chosen (from_function, from_site, function, site) AS MATERIALIZED (
         SELECT from_function, from_site, function, site FROM stretch
         WHERE rank = (SELECT min(rank) FROM stretch WHERE rank >= 0) AND site <> 0
         GROUP BY 1, 2, 3, 4
         HAVING sum(stretches) >= 20 AND 1.0 * max(max_ns) * sum(stretches) >= 1.5 * sum(time_ns)),
     code AS (
         SELECT s.rank, s.from_function, s.from_site, s.function, s.site, sum(s.stretches) AS n,
                1.0 * sum(s.time_ns) AS ns, min(s.min_ns) AS least, max(s.max_ns) AS most,
                coalesce(1.0 * sum(s.delay_ns) * sum(s.time_ns) / nullif(sum(s.seen_ns), 0), 0) AS delay_ns
         FROM stretch s CROSS JOIN chosen USING (from_function, from_site, function, site)
         WHERE s.rank >= 0 GROUP BY 1, 2, 3, 4, 5 HAVING sum(s.stretches) >= 20),
     spent (ranks, ns) AS MATERIALIZED (
         SELECT count(*), total(thread_seconds) * 1e9 FROM processes
         WHERE rank >= 0 AND rank IN (SELECT rank FROM stretch))
-- One long repetition, such as the first, is no variation; nor is a rank that is slow each time, nor a wait for a core.
-- A mean of more than ten times the shortest repetition is of several kinds of work.
SELECT 'varying_code', count(*), b.name, nullif(c.from_site, 0), f.name, c.site, min(c.n), sum(c.ns) / sum(c.n) / 1e9,
       min(c.least) / 1e9, max(c.most) / 1e9, sum(c.ns - c.n * c.least) * 100 / s.ns
FROM spent s CROSS JOIN code c JOIN function f ON f.function = c.function
     LEFT JOIN function b ON b.function = c.from_function
GROUP BY c.from_function, c.from_site, c.function, c.site
HAVING count(*) > 1 AND count(*) = s.ranks AND min(c.most * c.n / c.ns) >= 1.5
       AND min((c.ns - c.most) / (c.n - 1) / max(c.least, 1)) >= 1.2 AND max(c.ns / c.n / max(c.least, 1)) <= 10
       AND max(c.ns / c.n) <= 1.25 * min(c.ns / c.n)
       AND sum(c.ns - c.n * c.least) >= max(0.05 * s.ns, 2 * sum(c.delay_ns))
ORDER BY sum(c.ns - c.n * c.least) DESC LIMIT 3;

-- shared: overview, others
CREATE VIEW late_ranks ( -- ranks that make others wait: late_findings, and wait_findings from events
    late, -- number of the row, from 1: the longest waits first
    rank, -- the late rank
    function, -- function that it comes late to
    communicator, -- communicator, window or file of the waits
    communicator_uid, -- its id, as in run_communicators
    object_kind, -- window, file; NULL: communicator, or a wait from events
    number, -- number of the communicator, as in communicator_time
    mean_seconds -- waiting time of one of the others, on average, about
) AS
WITH waiter (kind, cause, id, function, ranks) AS MATERIALIZED (
         SELECT kind, cause, id, function, count(DISTINCT rank) FROM wait_sums GROUP BY 1, 2, 3, 4),
     profile_claim AS MATERIALIZED (SELECT * FROM late_findings),
     claim (rank, function, communicator, communicator_uid, object_kind, number, seconds) AS (
         SELECT rank, function, communicator, communicator_uid, object_kind, number, about_seconds FROM profile_claim
         UNION ALL
         SELECT w.rank, coalesce(w.cause_function, w.function), w.communicator, w.communicator_uid, NULL, NULL,
                max(w.seconds / r.ranks)
         FROM wait_findings w JOIN waiter r ON r.kind = w.kind AND r.cause = w.rank AND r.id IS w.communicator_uid
                                               AND r.function = w.function
              LEFT JOIN profile_claim l ON l.rank = w.rank AND l.function = w.function
                                           AND l.communicator_uid IS w.communicator_uid
         WHERE l.rank IS NULL GROUP BY 1, 2, 4)
SELECT row_number() OVER (ORDER BY seconds DESC, rank, function), * FROM claim;

-- kept: overview
CREATE VIEW late_causes ( -- the code that makes a rank late: a row for each of late_ranks
    -- The rank's time in the code between two call sites is compared with the median of the other members of the
    -- communicator. Code on one source line counts as one call site. The code with the largest excess has the row, if
    -- the excess is at least half of the others' mean waiting time. If it is more than twice that, the code was
    -- elsewhere in the run: nobody waited for most of it. So was code or a call after which the rank comes to the late
    -- call only through another one in which all members meet, such as a barrier.
    -- Two ranks that wait for each other in turn are left out: neither is the cause.
    kind, -- late_cause: the others have this code, too; late_alone: no other rank has it; late_unexplained: no code or
        -- call takes so much longer; late_unclear: a call that lacked its core does, and there are no events
    rank, -- the late rank
    communicator, -- communicator, window or file of the waits
    communicator_uid, -- its id, as in run_communicators
    object_kind, -- window, file; NULL: communicator, or a wait from events
    number, -- number of the communicator, as in communicator_time
    function, -- function that it comes late to
    mean_seconds, -- waiting time of one of the others, on average
    subject, -- code: between two calls; before: any code before a call; call: a call itself. NULL: late_unexplained
    from_function, -- function before the code; NULL: any, or none
    from_site, -- its call site
    cause_function, -- function that ends the code, or the call itself
    cause_site, -- its call site
    seconds, -- the rank's time in it
    median_seconds, -- median of the other members
    excess_seconds, -- the difference
    calls, -- number of stretches or calls, if it differs by half or more from the median of the others; else NULL
    median_calls, -- that median; NULL as calls
    cause, -- what explains more than half of the excess. work, more_work, slow_core (the last two by hardware
        -- counters), kernel, faults, input_output: on a core; quota,
        -- shared_core, own_threads, oversubscribed, other_process: without a core; threads, paging, storage, steal,
        -- sleep: off the core; waiting, polling, call: in MPI; unknown: nothing does, or samples cover less than 80 %
    seen_percent, -- share of seconds that samples cover
    exact_percent, -- share in stretches that had a sample of their own
    core_seconds, -- part of seconds on a core, scaled; NULL: no sample, or cause is waiting: MPIs wait on a core
    delay_seconds, -- runnable, without a core; NULL: as core_seconds, or the kernel does not tell
    off_seconds, -- the rest; NULL as delay_seconds
    median_core_seconds, -- median of the other members; those without enough samples count with all of their time
    median_delay_seconds, -- the same for delay_seconds
    median_off_seconds, -- the same for off_seconds
    kernel_seconds, -- part of core_seconds in the kernel, if that is the cause; else NULL
    faults, -- page faults, if they are the cause; else NULL
    bytes, -- bytes read and written, if they are the cause: for storage those from and to it; else NULL
    other_rank, -- shared_core: the other rank there; waiting: the rank that it waited for; NULL: none, or unknown
    node, -- oversubscribed: machine; else NULL
    processes, -- oversubscribed: number of ranks on it
    cores, -- oversubscribed: number of cores that they may use
    busy_threads -- other_process: other threads of the node that were on a core or wanted one, on average; else NULL
) AS
WITH level (subject) AS (VALUES ('code'), ('before'), ('call')),
     late AS MATERIALIZED (SELECT * FROM late_ranks WHERE rank IN (SELECT rank FROM stretch)),
     team (uid, rank, others) AS MATERIALIZED (
         SELECT CAST(uid AS INT), rank, count(*) OVER (PARTITION BY uid) - 1 FROM object
         WHERE uid IN (SELECT communicator_uid FROM late) AND kind IN ('communicator', 'window', 'file')
         GROUP BY uid, rank),
     -- equal for sites that are charged to one source line
     charged (site, charged, location) AS MATERIALIZED (
         SELECT c.site, c.charged_site, coalesce(s.location, c.charged_site)
         FROM charged_sites c LEFT JOIN sites s ON s.site = c.charged_site),
     line (location, line) AS MATERIALIZED (SELECT location, min(charged) FROM charged GROUP BY 1),
     place (site, line) AS MATERIALIZED (
         SELECT c.site, l.line FROM charged c JOIN line l ON l.location = c.location
         UNION ALL SELECT 0, 0),
     -- The calls of a late rank. meets: no member leaves it before all have entered it.
     node (late, function, site, late_call, meets) AS MATERIALIZED (
         SELECT l.late, s.function, s.site, max(f.name = l.function AND o.uid IS l.communicator_uid),
                min(coalesce(f.collective = 'all' AND f.mode = 'blocking'
                             AND (o.uid = l.communicator_uid OR o.predefined AND o.name = 'MPI_COMM_WORLD'), 0))
         FROM late l JOIN stretch s ON s.rank = l.rank JOIN function f ON f.function = s.function
              LEFT JOIN object o ON o.rank = s.rank AND o.object = iif(s.object > 0, s.object, s.communicator)
         GROUP BY 1, 2, 3),
     step (late, from_function, from_site, function, site) AS MATERIALIZED (
         SELECT DISTINCT l.late, s.from_function, s.from_site, s.function, s.site
         FROM late l JOIN stretch s ON s.rank = l.rank),
     -- those after which the rank comes to the late call without such a call in between: what it did before that made
     -- nobody wait here
     leading (late, function, site) AS (
         SELECT late, function, site FROM node WHERE late_call
         UNION
         SELECT b.late, s.from_function, s.from_site
         FROM leading b JOIN node n ON n.late = b.late AND n.function = b.function AND n.site = b.site
              JOIN step s ON s.late = b.late AND s.function = b.function AND s.site = b.site
         WHERE n.late_call OR NOT n.meets),
     led (late, function, line, by_code, by_call) AS MATERIALIZED (
         SELECT b.late, b.function, p.line, max(n.late_call OR NOT n.meets), max(NOT n.meets)
         FROM leading b JOIN node n ON n.late = b.late AND n.function = b.function AND n.site = b.site
              JOIN place p ON p.site = b.site
         GROUP BY 1, 2, 3),
     -- not all steps are known
     unordered (late) AS MATERIALIZED (
         SELECT late FROM late EXCEPT SELECT late FROM led
         UNION SELECT late FROM leading WHERE function = 0),
     -- the late rank's code and calls that are long enough
     own AS MATERIALIZED (
         SELECT l.late, l.rank, l.communicator_uid AS uid, l.mean_seconds * 1e9 AS wait_ns, v.subject,
                CASE v.subject WHEN 'code' THEN s.from_function END AS from_function,
                CASE v.subject WHEN 'code' THEN p.line END AS from_line, s.function, q.line,
                min(CASE v.subject WHEN 'code' THEN s.from_site END) AS from_site, min(s.site) AS site,
                CASE WHEN min(s.communicator) = max(s.communicator) THEN min(s.communicator) END AS communicator,
                sum(s.stretches) AS stretches, sum(iif(v.subject = 'call', s.call_ns, s.time_ns)) AS time_ns,
                sum(iif(v.subject = 'call', s.call_seen_ns, s.seen_ns)) AS seen_ns,
                sum(iif(v.subject = 'call', NULL, s.exact_ns)) AS exact_ns,
                sum(iif(v.subject = 'call', s.call_core_ns, s.core_ns)) AS core_ns,
                sum(iif(v.subject = 'call', NULL, s.system_ns)) AS system_ns,
                sum(iif(v.subject = 'call', s.call_delay_ns, s.delay_ns)) AS delay_ns,
                sum(s.minor_faults) AS minor_faults, sum(s.major_faults) AS major_faults,
                sum(s.read_bytes + s.written_bytes) AS bytes, sum(s.disk_bytes) AS disk_bytes,
                sum(s.others_ns) AS others_ns, sum(s.throttled_ns) AS throttled_ns, sum(s.steal_ns) AS steal_ns,
                sum(s.busy_ns) AS busy_ns,
                sum(s.sleeps) AS sleeps, min(s.min_ns) AS min_ns, max(s.max_ns) AS max_ns,
                min(s.least_core_ns) AS least_core_ns,
                CASE WHEN count(s.instructions) = count(*) THEN sum(s.instructions) END AS instructions
         FROM late l JOIN stretch s ON s.rank = l.rank JOIN place p ON p.site = s.from_site
              JOIN place q ON q.site = s.site CROSS JOIN level v
         WHERE s.function NOT IN (SELECT function FROM function WHERE class = 'lifecycle')
         GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
         HAVING sum(iif(v.subject = 'call', s.call_ns, s.time_ns)) * 2 >= l.mean_seconds * 1e9),
     -- the same code and calls of the other members that have them, in this order of loops: stretch has most rows
     theirs (late, subject, from_function, from_line, function, line, rank, others, stretches, time_ns, seen_ns,
             core_ns, system_ns, delay_ns, throttled_ns, max_ns, range_ns, instructions) AS (
         SELECT o.late, o.subject, o.from_function, o.from_line, o.function, o.line, s.rank, t.others, sum(s.stretches),
                sum(iif(o.subject = 'call', s.call_ns, s.time_ns)),
                sum(iif(o.subject = 'call', s.call_seen_ns, s.seen_ns)),
                sum(iif(o.subject = 'call', s.call_core_ns, s.core_ns)),
                sum(iif(o.subject = 'call', 0, s.system_ns)),
                sum(iif(o.subject = 'call', s.call_delay_ns, s.delay_ns)), total(s.throttled_ns), max(s.max_ns),
                max(s.max_ns) - min(s.min_ns),
                CASE WHEN count(s.instructions) = count(*) THEN sum(s.instructions) END
         FROM own o CROSS JOIN team t CROSS JOIN stretch s CROSS JOIN place q CROSS JOIN place p
         WHERE t.uid = o.uid AND t.rank <> o.rank AND s.rank = t.rank AND s.function = o.function AND q.site = s.site
               AND q.line = o.line AND p.site = s.from_site
               AND (o.subject <> 'code' OR s.from_function = o.from_function AND p.line = o.from_line)
         GROUP BY 1, 2, 3, 4, 5, 6, 7, 8),
     -- a member without enough samples may have spent all of its time in any way
     compared AS (
         SELECT *, CASE WHEN known THEN core_ns * (time_ns * 1.0 / seen_ns) ELSE time_ns END AS core,
                CASE WHEN known THEN system_ns * (time_ns * 1.0 / seen_ns) ELSE time_ns END AS system,
                CASE WHEN known AND delay_ns IS NOT NULL THEN delay_ns * (time_ns * 1.0 / seen_ns)
                     ELSE time_ns END AS delay,
                CASE WHEN known AND delay_ns IS NOT NULL
                     THEN max(0, seen_ns - core_ns - delay_ns) * (time_ns * 1.0 / seen_ns) ELSE time_ns END AS off
         FROM (SELECT *, seen_ns > 0 AND seen_ns * 2 >= time_ns AS known FROM theirs)),
     -- members without the code come first: they have 0 of everything
     ordered AS (
         SELECT *, others - count(*) OVER same + row_number() OVER (same ORDER BY time_ns) AS by_time,
                others - count(*) OVER same + row_number() OVER (same ORDER BY core) AS by_core,
                others - count(*) OVER same + row_number() OVER (same ORDER BY system) AS by_system,
                others - count(*) OVER same + row_number() OVER (same ORDER BY delay) AS by_delay,
                others - count(*) OVER same + row_number() OVER (same ORDER BY off) AS by_off,
                others - count(*) OVER same + row_number() OVER (same ORDER BY stretches) AS by_stretches
         FROM compared
         WINDOW same AS (PARTITION BY late, subject, from_function, from_line, function, line)),
     -- twice the median: of the one or two values in the middle
     median AS MATERIALIZED (
         SELECT late, subject, from_function, from_line, function, line, count(*) AS present,
                total((by_time = (others + 1) / 2) * time_ns + (by_time = (others + 2) / 2) * time_ns) AS time2_ns,
                total((by_core = (others + 1) / 2) * core + (by_core = (others + 2) / 2) * core) AS core2_ns,
                total((by_system = (others + 1) / 2) * system + (by_system = (others + 2) / 2) * system) AS system2_ns,
                total((by_delay = (others + 1) / 2) * delay + (by_delay = (others + 2) / 2) * delay) AS delay2_ns,
                total((by_off = (others + 1) / 2) * off + (by_off = (others + 2) / 2) * off) AS off2_ns,
                total((by_stretches = (others + 1) / 2) * stretches
                      + (by_stretches = (others + 2) / 2) * stretches) AS stretches2,
                max(throttled_ns * 1.0 * time_ns / nullif(seen_ns, 0)) AS throttled_ns, max(max_ns) AS max_ns,
                total(1.0 * range_ns * range_ns) / max(others) AS range2_ns,
                sum(core_ns) * 1.0 / CASE WHEN count(instructions) = count(*)
                                          THEN nullif(sum(instructions), 0) END AS ns_of_instruction
         FROM ordered GROUP BY 1, 2, 3, 4, 5, 6),
     compared_own AS (
         SELECT o.*, coalesce(m.present, 0) AS present, coalesce(m.time2_ns / 2, 0.0) AS median_ns,
                coalesce(m.core2_ns / 2, 0.0) AS median_core_ns, coalesce(m.system2_ns / 2, 0.0) AS median_system_ns,
                coalesce(m.delay2_ns / 2, 0.0) AS median_delay_ns, coalesce(m.off2_ns / 2, 0.0) AS median_off_ns,
                m.stretches2 / 2 AS median_stretches, o.time_ns - coalesce(m.time2_ns / 2, 0.0) AS excess_ns,
                o.time_ns * 1.0 / nullif(o.seen_ns, 0) AS scale, m.max_ns AS most_ns, m.range2_ns,
                coalesce(m.throttled_ns, 0.0) AS most_throttled_ns, m.ns_of_instruction
         FROM own o LEFT JOIN median m ON m.late = o.late AND m.subject = o.subject
                                          AND m.from_function IS o.from_function AND m.from_line IS o.from_line
                                          AND m.function = o.function AND m.line = o.line),
     -- Code whose time differs from step to step may take longer on one rank by chance. It does not, if each of three
     -- steps takes twice the mean of the others, or one step three times their longest and half of the excess. Else
     -- the excess must be three times its standard error; of few steps more, as their range is often too small. Of n
     -- equally likely values, the range is (n - 1) / (n + 1) of the whole one, and the deviation is the whole one
     -- divided by the root of 12. The kernel's count of a wait for a core is no chance of the code: four steps or more
     -- that each take longer than the others' mean suffice, if they wait three times as long, and this explains the
     -- excess. So does a quota that no other member has. One step has no range. If it and the same step of the others
     -- wait for cores as long as the excess, it is by chance, unless it waits three times as long, or works twice as
     -- long.
     steady AS (
         SELECT *, subject = 'call' OR present = 0
                   OR stretches < 2
                      AND (max(coalesce(delay_ns * scale, 0), median_delay_ns) < excess_ns
                           OR delay_ns * scale >= 3 * median_delay_ns
                           OR core_ns * scale >= 2 * median_core_ns)
                   OR (delay_ns * scale - median_delay_ns) * 2 > excess_ns
                      AND (throttled_ns * scale - most_throttled_ns) * 2 > excess_ns
                   OR stretches >= 3 AND min_ns * median_stretches >= 2 * median_ns
                   OR max_ns >= 3 * most_ns AND max_ns * 2 >= excess_ns
                   OR stretches >= 4 AND min_ns * median_stretches > median_ns
                      AND delay_ns * scale >= 3 * median_delay_ns
                      AND (delay_ns * scale - median_delay_ns) * 2 > excess_ns
                   OR 1.0 * excess_ns * excess_ns
                      >= 9.0 / 12 * stretches * (1.0 * (max_ns - min_ns) * (max_ns - min_ns) + range2_ns)
                         * (stretches + 1) * (stretches + 1) * (stretches + 5)
                         / (1.0 * (stretches - 1) * (stretches - 1) * (stretches - 1))
                   AS stands_out
         FROM compared_own),
     -- what the others have stands first, then any code before a call that they have
     chosen AS (
         SELECT *, core_ns * scale AS own_core_ns, system_ns * scale AS own_system_ns, delay_ns * scale AS own_delay_ns,
                max(0, seen_ns - core_ns - delay_ns) * scale AS own_off_ns,
                row_number() OVER (PARTITION BY late ORDER BY present = 0, subject = 'before', excess_ns DESC, subject,
                                                              site) AS place
         FROM steady c
         WHERE (EXISTS (SELECT 1 FROM led d WHERE d.late = c.late AND d.function = c.function AND d.line = c.line
                               AND iif(c.subject = 'call', d.by_call, d.by_code))
                OR c.late IN (SELECT late FROM unordered))
               AND stands_out AND excess_ns * 2 >= wait_ns AND excess_ns <= wait_ns * 2
               AND (present > 0 OR subject <> 'before')),
     -- What explains more than half of the excess. With cores that are shared alike, more work waits more for them: it
     -- explains as much of the wait as the others have for theirs. But other threads on a core also slow down the work
     -- itself: the more a rank waits for its core, the more time on it can have this reason. From a wait of half of the
     -- time on a core, only twice the others' time is more work. A quarter more in each of three steps or more is more
     -- work, too, if it explains the excess without a longer wait.
     explained AS (
         SELECT c.*, f.name AS cause_name, f.waits, b.name AS from_name,
                c.median_stretches > 0 AND abs(c.stretches - c.median_stretches) * 2 >= c.median_stretches AS uneven,
                -- a call that lacked its core may have waited for nobody, unless events show that it did
                CASE WHEN c.subject = 'call' AND f.waits IS NOT NULL
                     THEN CASE WHEN coalesce((c.own_delay_ns - c.median_delay_ns) * 2 <= c.excess_ns, 1)
                                    OR w.ns * 2 >= c.excess_ns THEN 'waiting' ELSE 'unknown' END
                     WHEN c.subject = 'call' AND f.class = 'completion' AND f.request_act IS NOT NULL THEN 'polling'
                     WHEN c.subject = 'call' AND coalesce((c.own_delay_ns - c.median_delay_ns) * 2 > c.excess_ns, 0)
                     THEN 'delay'
                     WHEN c.subject = 'call' THEN 'call'
                     WHEN c.seen_ns * 5 < c.time_ns * 4 THEN 'unknown'
                     WHEN c.own_core_ns
                          >= c.median_core_ns * (1 + coalesce(min(1, max(2 * c.own_delay_ns / nullif(c.own_core_ns, 0),
                                                   2 * c.median_delay_ns / nullif(c.median_core_ns, 0))), 0))
                          AND (c.own_core_ns - c.median_core_ns) * 2
                          * (1 + coalesce(min(c.median_delay_ns / nullif(c.median_core_ns, 0),
                                              c.own_delay_ns / nullif(c.own_core_ns, 0)), 0)) > c.excess_ns THEN 'core'
                     WHEN c.stretches >= 3 AND c.least_core_ns * c.median_stretches * 4 >= c.median_core_ns * 5
                          AND (c.own_core_ns - c.median_core_ns) * 2 > c.excess_ns THEN 'core'
                     WHEN (c.own_delay_ns - c.median_delay_ns) * 2 > c.excess_ns THEN 'delay'
                     WHEN (c.own_off_ns - c.median_off_ns) * 2 > c.excess_ns THEN 'off'
                     ELSE 'unknown' END AS part,
                CASE WHEN c.own_system_ns >= 1e8
                          AND (c.own_system_ns - c.median_system_ns) * 2 > c.own_core_ns - c.median_core_ns
                     THEN c.own_system_ns END AS kernel_ns, w.ns AS awaited_ns, w.cause AS awaited_rank
         FROM chosen c JOIN function f ON f.function = c.function
              LEFT JOIN function b ON b.function = c.from_function
              LEFT JOIN awaited w ON c.subject = 'call' AND w.rank = c.rank AND w.function = f.name
         WHERE c.place = 1),
     -- another rank on the processor on which a rank makes nearly all of its calls
     usual (rank, node, cpu) AS MATERIALIZED (SELECT rank, node, cpu FROM rank_processors WHERE percent >= 80),
     neighbor (rank, other) AS MATERIALIZED (
         SELECT a.rank, min(b.rank) FROM usual a JOIN usual b ON b.node = a.node AND b.cpu = a.cpu AND b.rank <> a.rank
         GROUP BY 1),
     -- the rank that calls of a function waited for most, from events; its row supplies it
     awaited (rank, function, cause, ns) AS MATERIALIZED (
         SELECT rank, function, cause, max(ns)
         FROM (SELECT rank, function, cause, sum(wait_ns) AS ns FROM wait_sums GROUP BY 1, 2, 3) GROUP BY 1, 2),
     -- the only rank that a rank has messages from, or to, on a communicator; -1: several, or unknown
     partner (rank, object, source, dest) AS MATERIALIZED (
         SELECT rank, object,
                CASE WHEN min(source) = max(source) AND count(source) = sum(direction LIKE 'receive%')
                     THEN min(source) END,
                CASE WHEN min(dest) = max(dest) AND count(dest) = sum(direction LIKE 'send%') THEN min(dest) END
         FROM (SELECT rank, object, direction, CASE WHEN direction LIKE 'receive%' THEN source END AS source,
                      CASE WHEN direction LIKE 'send%' THEN dest END AS dest
               FROM traffic WHERE direction NOT IN ('put', 'get') AND peer <> -2)
         GROUP BY 1, 2),
     -- cores that the ranks of a node use: those of other processes are missing
     busy (node, cores) AS MATERIALIZED (
         SELECT p.node, total(u.cpu_seconds) / nullif(max(p.seconds), 0)
         FROM rank_usage u JOIN processes p ON p.rank = u.rank WHERE u.rank >= 0 GROUP BY 1),
     -- Limits: the first use of a huge page took 5 ms, of others 2 us. The kernel copied 5 GB in a second, 160 MB in
     -- pieces of 100 bytes. A page takes 20 ms at most from a disk with moving parts. How long storage took is not
     -- known, so sentences say "may".
     found AS MATERIALIZED (
         SELECT e.*, n.node AS on_node, n.ranks AS node_ranks, n.cores AS node_cores, h.other AS neighbor,
                CASE WHEN e.awaited_ns * 2 >= e.excess_ns THEN e.awaited_rank
                     WHEN e.waits IN ('receive', 'message') THEN t.source
                     WHEN e.waits IN ('send', 'synchronous-send') THEN t.dest END AS awaited,
                CASE e.part
                     WHEN 'core'
                     THEN CASE WHEN e.kernel_ns IS NULL AND e.ns_of_instruction * e.instructions > 0
                               THEN iif((e.ns_of_instruction * e.instructions * e.scale - e.median_core_ns) * 2
                                        >= e.own_core_ns - e.median_core_ns, 'more_work', 'slow_core')
                               WHEN e.kernel_ns IS NULL THEN 'work'
                               WHEN e.minor_faults * e.scale >= e.kernel_ns / 1e7
                                    AND e.bytes * e.scale < e.kernel_ns * 0.05 THEN 'faults'
                               WHEN e.minor_faults * e.scale < e.kernel_ns / 1e7
                                    AND e.bytes * e.scale >= e.kernel_ns * 0.05 THEN 'input_output'
                               -- either may: what took the usual time
                               WHEN e.bytes * e.scale / 5 * 2 >= e.kernel_ns
                                    AND e.minor_faults * e.scale * 2500 * 10 < e.kernel_ns THEN 'input_output'
                               WHEN e.minor_faults * e.scale * 2500 * 2 >= e.kernel_ns
                                    AND e.bytes * e.scale / 5 * 10 < e.kernel_ns THEN 'faults'
                               ELSE 'kernel' END
                     WHEN 'delay'
                     THEN CASE WHEN e.throttled_ns * e.scale * 2 >= e.own_delay_ns THEN 'quota'
                               WHEN e.others_ns * e.scale * 2 >= e.own_delay_ns
                                    AND e.own_core_ns + e.own_delay_ns + e.others_ns * e.scale
                                        >= 0.9 * a.allowed * e.time_ns THEN 'own_threads'
                               WHEN n.load > 1 AND y.cores >= 0.8 * n.cores THEN 'oversubscribed'
                               WHEN h.rank IS NOT NULL THEN 'shared_core' ELSE 'other_process' END
                     WHEN 'off'
                     THEN CASE WHEN e.sleeps = 0 AND e.steal_ns * e.scale * 2 >= e.own_off_ns THEN 'steal'
                               WHEN e.others_ns * e.scale * 2 >= e.own_off_ns THEN 'threads'
                               WHEN e.major_faults >= 10 AND e.major_faults * e.scale * 2e7 >= e.own_off_ns
                               THEN 'paging'
                               WHEN e.disk_bytes * e.scale >= e.own_off_ns / 1e3 THEN 'storage'
                               -- a thread that sleeps, waits or is stopped leaves its core by itself
                               WHEN e.sleeps > 0 THEN 'sleep' ELSE 'unknown' END
                     ELSE e.part END AS cause
         FROM explained e JOIN process p ON p.rank = e.rank LEFT JOIN node_loads n ON n.node IS p.node
              LEFT JOIN busy y ON y.node IS p.node
              LEFT JOIN bindings a ON a.rank = e.rank LEFT JOIN neighbor h ON h.rank = e.rank
              LEFT JOIN partner t ON t.rank = e.rank AND t.object = e.communicator AND e.part = 'waiting')
SELECT CASE WHEN f.late IS NULL THEN 'late_unexplained'
            WHEN f.subject = 'call' AND f.cause = 'unknown' THEN 'late_unclear'
            WHEN f.present = 0 THEN 'late_alone' ELSE 'late_cause' END,
       l.rank, l.communicator, l.communicator_uid, l.object_kind, l.number, l.function, l.mean_seconds,
       CASE WHEN f.subject = 'code' AND f.from_name IS NULL THEN 'before' ELSE f.subject END, f.from_name,
       nullif(f.from_site, 0), f.cause_name, nullif(f.site, 0), f.time_ns / 1e9,
       CASE WHEN f.present > 0 THEN f.median_ns / 1e9 END, f.excess_ns / 1e9, CASE WHEN f.uneven THEN f.stretches END,
       CASE WHEN f.uneven THEN CAST(f.median_stretches AS INT) END,
       iif(f.subject = 'call', nullif(f.cause, 'unknown'), f.cause), f.seen_ns * 100.0 / nullif(f.time_ns, 0),
       f.exact_ns * 100.0 / nullif(f.time_ns, 0), CASE WHEN f.cause <> 'waiting' THEN f.own_core_ns / 1e9 END,
       CASE WHEN f.cause <> 'waiting' THEN f.own_delay_ns / 1e9 END,
       CASE WHEN f.cause <> 'waiting' THEN f.own_off_ns / 1e9 END, f.median_core_ns / 1e9, f.median_delay_ns / 1e9,
       f.median_off_ns / 1e9,
       CASE WHEN f.cause IN ('kernel', 'faults', 'input_output') THEN f.kernel_ns / 1e9 END,
       CASE f.cause WHEN 'faults' THEN f.minor_faults WHEN 'paging' THEN f.major_faults END,
       CASE f.cause WHEN 'input_output' THEN f.bytes WHEN 'storage' THEN f.disk_bytes END,
       CASE f.cause WHEN 'shared_core' THEN f.neighbor WHEN 'waiting' THEN f.awaited END,
       CASE f.cause WHEN 'oversubscribed' THEN f.on_node END, CASE f.cause WHEN 'oversubscribed' THEN f.node_ranks END,
       CASE f.cause WHEN 'oversubscribed' THEN f.node_cores END,
       CASE f.cause WHEN 'other_process' THEN round(nullif(f.busy_ns, 0) * 1.0 / nullif(f.seen_ns, 0), 1) END
-- a call that lacked its core explains nothing; without events it may
FROM late l LEFT JOIN found f ON f.late = l.late AND (f.subject <> 'call' OR f.cause <> 'unknown'
                                                      OR NOT EXISTS (SELECT 1 FROM wait_sums))
-- if all ranks lack cores alike, none of them is late because of it, or for no known cause; a quota has counted its
-- own group
WHERE (coalesce(f.part, 'unknown') NOT IN ('delay', 'unknown') AND f.cause <> 'unknown' OR f.cause = 'quota'
       OR NOT EXISTS (SELECT 1 FROM core_findings))
      -- two ranks that wait for each other in turn: neither is the cause
      AND (f.cause IS NOT 'waiting' OR NOT EXISTS (SELECT 1 FROM found o WHERE o.cause = 'waiting'
                                                   AND o.rank = f.awaited AND o.awaited = f.rank))
ORDER BY l.late;
