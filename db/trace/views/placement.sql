-- Views: the processors of ranks.

CREATE VIEW placements ( -- one row per rank: its processors, and how often it moved
    rank, -- rank of the process
    node, -- machine
    processor_name, -- answer of MPI_Get_processor_name
    start_cpu, -- at the start
    end_cpu, -- processor at the last check
    allowed_cpus, -- at the start
    moves, -- number of times that a thread was found on another processor
    cpus -- all processors on which it was seen
) AS
SELECT p.rank, p.node, n.processor_name, f.cpu, l.cpu, a.allowed_cpus, coalesce(m.moves, 0), c.cpus
FROM process p
     -- A thread may have moved during MPI_Init, before the start was recorded.
     LEFT JOIN (SELECT rank, cpu, min(CASE reason WHEN 'start' THEN -9e18 ELSE at_ns END)
                FROM placement WHERE reason <> 'asked' GROUP BY rank) f ON f.rank = p.rank
     LEFT JOIN (SELECT rank, allowed_cpus, min(at_ns) FROM placement WHERE allowed_cpus IS NOT NULL GROUP BY rank) a
               ON a.rank = p.rank
     LEFT JOIN (SELECT rank, cpu, max(at_ns) FROM placement WHERE reason <> 'asked' GROUP BY rank) l ON l.rank = p.rank
     LEFT JOIN (SELECT rank, processor_name, max(at_ns) FROM placement WHERE processor_name IS NOT NULL GROUP BY rank) n
               ON n.rank = p.rank
     LEFT JOIN (SELECT rank, sum(moves) AS moves FROM thread_processor GROUP BY rank) m ON m.rank = p.rank
     LEFT JOIN (SELECT rank, group_concat(cpu) AS cpus
                FROM (SELECT rank, cpu FROM placement WHERE cpu IS NOT NULL
                      UNION SELECT rank, cpu FROM thread_processor ORDER BY rank, cpu)
                GROUP BY rank) c ON c.rank = p.rank;

CREATE VIEW processor_names ( -- answers of MPI_Get_processor_name by call site
    rank, -- rank of the process
    processor_name, -- the answer
    calls, -- number of calls in all threads
    site, -- call site
    location, -- call site: function, file and line
    first_ns, -- when first
    last_ns -- when last
) AS
SELECT a.rank, a.processor_name, sum(a.calls), a.site, s.location, min(a.at_ns), max(a.last_ns)
FROM placement a LEFT JOIN sites s ON s.site = a.site WHERE a.reason = 'asked'
GROUP BY a.rank, a.processor_name, a.site;

CREATE VIEW rank_processors ( -- the processors on which each rank made its calls
    rank, -- rank of the process
    node, -- machine
    cpu, -- number of the processor
    core, -- its core, unique within the package
    package, -- its package (socket)
    numa_node, -- its NUMA node
    threads, -- threads that made calls there
    calls, -- made there
    percent, -- percent of all calls of the rank
    moves, -- number of times that a thread came there from another processor
    first_ns, -- time when a call first ended there
    last_ns -- when last
) AS
SELECT t.rank, p.node, t.cpu, c.core, c.package, c.numa_node, t.threads, t.calls,
       t.calls * 100.0 / nullif(sum(t.calls) OVER (PARTITION BY t.rank), 0), t.moves, t.first_ns, t.last_ns
FROM (SELECT rank, cpu, count(*) AS threads, sum(calls) AS calls, sum(moves) AS moves, min(first_ns) AS first_ns,
             max(last_ns) AS last_ns
      FROM thread_processor GROUP BY rank, cpu) t
     JOIN process p ON p.rank = t.rank LEFT JOIN processor c ON c.rank = t.rank AND c.cpu = t.cpu;

CREATE VIEW cpu_lists ( -- every list of processors or NUMA nodes in this trace, "0-2,8", number by number
    list, -- the list
    number -- a number in it
) AS
WITH RECURSIVE
    lists (list) AS (
        SELECT allowed_cpus FROM placement WHERE allowed_cpus IS NOT NULL
        UNION SELECT core_cpus FROM processor WHERE core_cpus IS NOT NULL
        UNION SELECT package_cpus FROM processor WHERE package_cpus IS NOT NULL
        -- A list of one number is kept as a number.
        UNION SELECT CAST(value AS TEXT) FROM meta WHERE key IN ('cpus_online', 'memory_nodes')
        UNION SELECT substr(value, instr(value, ' ') + 1) FROM meta WHERE key = 'memory_policy' AND instr(value, ' ')),
    -- A damaged trace must not fill the memory: lists in a journal have at most 512 bytes.
    part (list, word, rest) AS (
        SELECT list, NULL, list || ',' FROM lists WHERE length(list) <= 512
        UNION ALL SELECT list, substr(rest, 1, instr(rest, ',') - 1), substr(rest, instr(rest, ',') + 1)
        FROM part WHERE rest <> ''),
    range (list, number, last) AS (
        SELECT list, CAST(word AS INT),
               min(CAST(substr(word, instr(word, '-') + 1) AS INT), CAST(word AS INT) + 65535)
        FROM part WHERE word <> ''
        UNION ALL SELECT list, number + 1, last FROM range WHERE number < last LIMIT 200000)
SELECT DISTINCT list, number FROM range;

-- kept: overview
CREATE VIEW bindings ( -- one row per rank: its binding
    rank, -- rank of the process
    node, -- machine
    processor_name, -- answer of MPI_Get_processor_name
    cpu, -- processor of most of its calls
    core, -- its core, unique within the package
    package, -- its package (socket)
    numa_node, -- its NUMA node
    moves, -- number of times that a thread was found on another processor
    allowed_cpus, -- processors on which it may run
    allowed, -- number of these processors
    bound, -- its binding. core, package: to one; packages: to a part of the node in several packages; part: to a
        -- part of the node, in unknown packages; no: the whole node. NULL: unknown
    wide, -- 1: it may run on more than one package; NULL: unknown
    cpu_quota, -- number of processors that its control groups allow at a time; NULL: no limit
    memory_policy, -- memory policy of the kernel, with its NUMA nodes
    memory_nodes, -- NUMA nodes from which it may get memory
    bound_memory_nodes, -- NUMA nodes to which its memory is bound; without such a policy memory_nodes
    memory_elsewhere -- 1: its memory is bound to NUMA nodes that are not its processor's
) AS
WITH lists (list, number) AS MATERIALIZED (SELECT list, number FROM cpu_lists),
     size (list, numbers) AS MATERIALIZED (SELECT list, count(*) FROM lists GROUP BY list),
     most (rank, cpu, calls) AS (SELECT rank, cpu, max(calls) FROM rank_processors GROUP BY rank),
     about (rank, quota, policy, nodes, online) AS (
         SELECT rank, max(CASE key WHEN 'cpu_quota' THEN CAST(value AS REAL) END),
                max(CASE key WHEN 'memory_policy' THEN value END),
                max(CASE key WHEN 'memory_nodes' THEN CAST(value AS TEXT) END),
                max(CASE key WHEN 'cpus_online' THEN CAST(value AS TEXT) END)
         FROM meta WHERE key IN ('cpu_quota', 'memory_policy', 'memory_nodes', 'cpus_online') GROUP BY rank),
     one AS MATERIALIZED (
         SELECT p.rank, p.node, p.processor_name, coalesce(m.cpu, p.start_cpu) AS cpu, p.moves, p.allowed_cpus,
                a.quota, a.policy, a.nodes, a.online,
                CASE WHEN a.policy LIKE 'bind %' THEN substr(a.policy, 6) ELSE a.nodes END AS memory
         FROM placements p LEFT JOIN most m ON m.rank = p.rank LEFT JOIN about a ON a.rank = p.rank),
     pair (part, whole) AS (
         SELECT o.allowed_cpus, c.core_cpus FROM one o JOIN processor c ON c.rank = o.rank AND c.cpu = o.cpu
         UNION SELECT o.allowed_cpus, c.package_cpus FROM one o JOIN processor c ON c.rank = o.rank AND c.cpu = o.cpu),
     within (part, whole, yes) AS MATERIALIZED ( -- pairs of lists of which one contains the other
         SELECT p.part, p.whole, count(b.number) = count(*)
         FROM pair p JOIN lists a ON a.list = p.part LEFT JOIN lists b ON b.list = p.whole AND b.number = a.number
         WHERE p.whole IS NOT NULL GROUP BY p.part, p.whole)
SELECT o.rank, o.node, o.processor_name, o.cpu, c.core, c.package, c.numa_node, o.moves, o.allowed_cpus, s.numbers,
       CASE WHEN s.numbers >= online.numbers THEN 'no' WHEN core.yes OR s.numbers = 1 THEN 'core'
            WHEN package.yes THEN 'package'
            WHEN s.numbers < online.numbers THEN CASE package.yes WHEN 0 THEN 'packages' ELSE 'part' END END,
       NOT package.yes, o.quota, o.policy, o.nodes, o.memory,
       CASE WHEN o.memory IS NOT NULL AND c.numa_node IS NOT NULL
            THEN NOT EXISTS (SELECT 1 FROM lists WHERE list = o.memory AND number = c.numa_node) END
FROM one o LEFT JOIN processor c ON c.rank = o.rank AND c.cpu = o.cpu LEFT JOIN size s ON s.list = o.allowed_cpus
     LEFT JOIN size online ON online.list = o.online
     LEFT JOIN within core ON core.part = o.allowed_cpus AND core.whole = c.core_cpus
     LEFT JOIN within package ON package.part = o.allowed_cpus AND package.whole = c.package_cpus;

CREATE VIEW node_packages ( -- packages on which a rank was seen
    node, -- machine
    package, -- number of the package
    cores -- cores of the node
) AS
WITH size (list, numbers) AS MATERIALIZED (SELECT list, count(*) FROM cpu_lists GROUP BY list)
SELECT p.node, c.package, max(package.numbers) / max(core.numbers)
FROM (SELECT DISTINCT rank, package, package_cpus, core_cpus FROM processor) c JOIN process p ON p.rank = c.rank
     JOIN size package ON package.list = c.package_cpus JOIN size core ON core.list = c.core_cpus
GROUP BY p.node, c.package;

CREATE VIEW node_loads ( -- one row per node: ranks and cores
    node, -- machine
    ranks, -- ranks that ran there
    cpus, -- processors that at least one of these ranks may use; NULL: unknown
    cores, -- their cores, or processors if cores are unknown
    cpus_per_core, -- most processors per core, among cores on which a rank was seen; NULL: cores are unknown
    cpu_quota, -- least number of processors that control groups allow one rank at a time; NULL: no limit
    quota_short, -- 1: cpu_quota is less than the cores that the ranks can use at a time
    bound, -- ranks that may run only on a part of the node, or only on a core if they all share that part
    load, -- ranks per core; more than 1 is oversubscribed
    bound_load -- most ranks per core among ranks that may use exactly the same processors
) AS
WITH lists (list, number) AS MATERIALIZED (SELECT list, number FROM cpu_lists),
     size (list, numbers) AS MATERIALIZED (SELECT list, count(*) FROM lists GROUP BY list),
     one AS MATERIALIZED (
         SELECT rank, node, allowed_cpus, allowed, bound, cpu_quota, count(*) OVER (PARTITION BY node) = 1 AS alone
         FROM bindings WHERE rank >= 0),
     width (node, cpus) AS MATERIALIZED (
         SELECT p.node, max(s.numbers)
         FROM (SELECT DISTINCT rank, core_cpus FROM processor) c JOIN process p ON p.rank = c.rank
              JOIN size s ON s.list = c.core_cpus
         GROUP BY p.node),
     shared (node, list, ranks, cores) AS MATERIALIZED (
         SELECT o.node, o.allowed_cpus, count(*),
                (max(o.allowed) + coalesce(max(w.cpus), 1) - 1) / coalesce(max(w.cpus), 1)
         FROM one o LEFT JOIN width w ON w.node IS o.node WHERE o.allowed > 0 GROUP BY o.node, o.allowed_cpus),
     allowed (node, cpus, load) AS (
         SELECT s.node, count(DISTINCT l.number), max(s.ranks * 1.0 / s.cores)
         FROM shared s JOIN lists l ON l.list = s.list GROUP BY s.node),
     load (node, ranks, cpus, cores, width, quota, bound, load) AS (
         SELECT o.node, count(*), max(a.cpus),
                (max(a.cpus) + coalesce(max(w.cpus), 1) - 1) / coalesce(max(w.cpus), 1), max(w.cpus), min(o.cpu_quota),
                count(CASE WHEN o.bound = 'core' OR o.bound <> 'no' AND (o.allowed < a.cpus OR o.alone) THEN 1 END),
                max(a.load)
         FROM one o LEFT JOIN allowed a ON a.node IS o.node LEFT JOIN width w ON w.node IS o.node GROUP BY o.node)
SELECT node, ranks, cpus, cores, width, quota, quota < min(ranks, coalesce(cores, ranks)), bound,
       ranks * 1.0 / cores, load
FROM load;

-- kept: overview
CREATE VIEW run_placement ( -- one row: the placement of all ranks
    wrong, -- 1: oversubscribed, held back by control groups, or memory bound to another NUMA node than the processor
    ranks, -- ranks of the run
    nodes, -- machines
    cores, -- cores that the ranks may use, as far as known; processors if cores are unknown
    cores_known, -- 1: cores are known on every node
    unknown_nodes, -- machines whose cores and processors are unknown
    load, -- most ranks per core on a machine
    oversubscribed_nodes, -- machines with more ranks than cores
    cpu_quota, -- least quota that is smaller than the cores that its ranks can use; NULL: none
    quota_cores, -- cores that the ranks on that machine can use at a time
    quota_nodes, -- machines with such a quota
    elsewhere, -- ranks with memory bound to another NUMA node than the processor's
    bindings, -- ranks with a known binding
    bound, -- as in node_loads
    bound_to_core, -- ranks that may run on one core only
    bound_to_package -- ranks that may run on one core or one package only
) AS
WITH binding (known, core, package, elsewhere) AS (
         SELECT count(bound), CAST(total(bound = 'core') AS INT), CAST(total(bound IN ('core', 'package')) AS INT),
                CAST(total(memory_elsewhere) AS INT)
         FROM bindings WHERE rank >= 0),
     run (ranks, nodes, cores, cores_known, unknown, load, crowded, quota, quota_cores, short, bound) AS (
         SELECT CAST(total(ranks) AS INT), count(*), sum(cores), count(cpus_per_core) = count(*),
                count(*) - count(cores), max(max(coalesce(load, 0), coalesce(bound_load, 0))),
                count(CASE WHEN load > 1 OR bound_load > 1 THEN 1 END), min(CASE WHEN quota_short THEN cpu_quota END),
                max(CASE WHEN quota_short THEN min(ranks, coalesce(cores, ranks)) END),
                CAST(total(quota_short) AS INT), CAST(total(bound) AS INT)
         FROM node_loads)
SELECT r.crowded OR r.short OR b.elsewhere, r.ranks, r.nodes, r.cores, r.cores_known, r.unknown, nullif(r.load, 0),
       r.crowded, r.quota, r.quota_cores, r.short, b.elsewhere, b.known, r.bound, b.core, b.package
FROM run r, binding b;

-- kept: others
CREATE VIEW placement_findings ( -- findings about placement: at most one row for each kind
    kind, -- oversubscribed: more ranks than cores; cpu_quota: control groups allow less than the ranks can use;
    -- memory_elsewhere: memory is bound to another NUMA node than the processor's; bound_badly: allowed on more than
    -- one package; moved: from one processor to another
    ranks, -- as ranges: 0-3,7
    nodes, -- machines of these ranks
    load, -- oversubscribed: most ranks per core
    cpu_quota, -- cpu_quota: least number of processors that they may use at a time
    moves -- moved: number of moves
) AS
WITH placed AS (
         SELECT b.rank, b.node, b.moves, b.wide, b.memory_elsewhere, n.cpu_quota, n.quota_short,
                max(coalesce(n.load, 0), coalesce(n.bound_load, 0)) AS load
         FROM bindings b LEFT JOIN node_loads n ON n.node IS b.node WHERE b.rank >= 0),
     kinds (kind) AS (
         VALUES ('oversubscribed'), ('cpu_quota'), ('memory_elsewhere'), ('bound_badly'), ('moved')),
     said (kind, rank, node, load, quota, moves) AS MATERIALIZED (
         SELECT k.kind, s.rank, s.node, CASE k.kind WHEN 'oversubscribed' THEN s.load END,
                CASE k.kind WHEN 'cpu_quota' THEN s.cpu_quota END, CASE k.kind WHEN 'moved' THEN s.moves END
         FROM placed s JOIN kinds k ON CASE k.kind WHEN 'oversubscribed' THEN s.load > 1
                                                 WHEN 'cpu_quota' THEN s.quota_short
                                                 WHEN 'memory_elsewhere' THEN s.memory_elsewhere
                                                 WHEN 'bound_badly' THEN s.wide ELSE s.moves > 0 END),
     range (kind, first, last) AS (
         SELECT kind, min(rank), max(rank)
         FROM (SELECT kind, rank, rank - row_number() OVER (PARTITION BY kind ORDER BY rank) AS shift FROM said)
         GROUP BY kind, shift),
     ranges (kind, ranks) AS MATERIALIZED (
         SELECT kind, group_concat(first || CASE last - first WHEN 0 THEN '' WHEN 1 THEN ',' || last
                                                 ELSE '-' || last END, ',')
         FROM (SELECT * FROM range ORDER BY kind, first) GROUP BY kind)
SELECT s.kind, max(r.ranks), count(DISTINCT coalesce(s.node, '')), max(s.load), min(s.quota), sum(s.moves)
FROM said s JOIN ranges r ON r.kind = s.kind GROUP BY s.kind ORDER BY s.kind;

-- kept: others
CREATE VIEW communicator_nodes ( -- communicators with members on several nodes
    id, -- as in run_communicators
    name, -- name, as in run_communicators
    size, -- number of processes in it
    nodes, -- nodes of its recorded members
    ranks, -- its recorded members
    predefined -- 1: belongs to the MPI
) AS
SELECT c.id, c.name, c.size, m.nodes, m.ranks, c.predefined
FROM run_communicators c
     JOIN (SELECT k.id, count(DISTINCT p.node) AS nodes, count(*) AS ranks
           FROM object o JOIN object_keys k USING (rank, object) JOIN process p ON p.rank = o.rank
           WHERE o.kind = 'communicator' GROUP BY 1) m ON m.id = c.id
WHERE m.nodes > 1;
