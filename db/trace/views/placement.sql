-- Views: where the ranks ran.

CREATE VIEW placements ( -- one row per rank: where it ran, and how often it moved
    rank, -- of the process
    node, -- machine
    processor_name, -- as MPI_Get_processor_name says
    start_cpu, -- at the start
    end_cpu, -- at the last look
    allowed_cpus, -- at the start
    moves, -- how often its threads were seen to have moved
    cpus -- all processors it was seen on
) AS
SELECT p.rank, p.node, n.processor_name, f.cpu, l.cpu, f.allowed_cpus, coalesce(m.moves, s.moves, 0), c.cpus
FROM process p
     LEFT JOIN (SELECT rank, cpu, allowed_cpus, min(at_ns) FROM placement WHERE reason <> 'asked' GROUP BY rank) f ON f.rank = p.rank
     LEFT JOIN (SELECT rank, cpu, max(at_ns) FROM placement WHERE reason <> 'asked' GROUP BY rank) l ON l.rank = p.rank
     LEFT JOIN (SELECT rank, processor_name, max(at_ns) FROM placement WHERE processor_name IS NOT NULL GROUP BY rank) n
               ON n.rank = p.rank
     LEFT JOIN (SELECT rank, sum(moves) AS moves FROM thread_processor GROUP BY rank) m ON m.rank = p.rank
     LEFT JOIN (SELECT rank, count(*) AS moves FROM placement WHERE reason = 'moved' GROUP BY rank) s ON s.rank = p.rank -- traces of version 4
     LEFT JOIN (SELECT rank, group_concat(cpu) AS cpus
                FROM (SELECT rank, cpu FROM placement WHERE cpu IS NOT NULL UNION SELECT rank, cpu FROM thread_processor ORDER BY rank, cpu)
                GROUP BY rank) c ON c.rank = p.rank;

CREATE VIEW processor_names ( -- what MPI_Get_processor_name answered the program: a row for each answer at each call site
    rank, -- of the process
    processor_name, -- the answer
    calls, -- how often, of all threads
    site, -- call site
    location, -- call site in words
    first_ns, -- when first
    last_ns -- when last
) AS
SELECT a.rank, a.processor_name, sum(a.calls), a.site, s.location, min(a.at_ns), max(a.last_ns)
FROM placement a LEFT JOIN sites s ON s.site = a.site WHERE a.reason = 'asked' GROUP BY a.rank, a.processor_name, a.site;

CREATE VIEW rank_processors ( -- the processors that each rank made its calls on
    rank, -- of the process
    node, -- machine
    cpu, -- number of the processor
    core, -- its core, unique within the package
    package, -- its package (socket)
    numa_node, -- its NUMA node
    threads, -- that made calls there
    calls, -- made there
    percent, -- of all calls of the rank
    moves, -- how often a thread was seen there after another processor
    first_ns, -- when a call first ended there
    last_ns -- when last
) AS
SELECT t.rank, p.node, t.cpu, c.core, c.package, c.numa_node, t.threads, t.calls,
       t.calls * 100.0 / nullif(sum(t.calls) OVER (PARTITION BY t.rank), 0), t.moves, t.first_ns, t.last_ns
FROM (SELECT rank, cpu, count(*) AS threads, sum(calls) AS calls, sum(moves) AS moves, min(first_ns) AS first_ns, max(last_ns) AS last_ns
      FROM thread_processor GROUP BY rank, cpu) t
     JOIN process p ON p.rank = t.rank LEFT JOIN processor c ON c.rank = t.rank AND c.cpu = t.cpu;

CREATE VIEW cpu_lists ( -- every list of processors or NUMA nodes of this trace, "0-2,8", number by number
    list, -- the list
    number -- a number in it
) AS
WITH RECURSIVE
    lists (list) AS (
        SELECT allowed_cpus FROM placement WHERE allowed_cpus IS NOT NULL
        UNION SELECT core_cpus FROM processor WHERE core_cpus IS NOT NULL
        UNION SELECT package_cpus FROM processor WHERE package_cpus IS NOT NULL
        UNION SELECT CAST(value AS TEXT) FROM meta WHERE key IN ('cpus_online', 'memory_nodes') -- one number is kept as such
        UNION SELECT substr(value, instr(value, ' ') + 1) FROM meta WHERE key = 'memory_policy' AND instr(value, ' ')),
    part (list, word, rest) AS (
        SELECT list, NULL, list || ',' FROM lists
        UNION ALL SELECT list, substr(rest, 1, instr(rest, ',') - 1), substr(rest, instr(rest, ',') + 1) FROM part WHERE rest <> ''),
    range (list, number, last) AS ( -- a list of a damaged trace must not fill the memory
        SELECT list, CAST(word AS INT), min(CAST(substr(word, instr(word, '-') + 1) AS INT), CAST(word AS INT) + 65535) FROM part WHERE word <> ''
        UNION ALL SELECT list, number + 1, last FROM range WHERE number < last)
SELECT DISTINCT list, number FROM range;

CREATE VIEW bindings ( -- one row per rank: what it was bound to
    rank, -- of the process
    node, -- machine
    cpu, -- processor of most of its calls
    core, -- its core, unique within the package
    package, -- its package (socket)
    numa_node, -- its NUMA node
    moves, -- how often its threads were seen to have moved
    allowed_cpus, -- processors that it may run on
    allowed, -- how many these are
    bound, -- core, package: it may run on no more than that; packages: on some of the node, of more than one package; no: on all of the node. NULL: not known
    cpu_quota, -- processors that its control groups let it use at a time; NULL: no limit
    memory_policy, -- of the kernel, with its NUMA nodes
    memory_nodes, -- NUMA nodes that it may have memory of
    memory_elsewhere -- 1: memory is bound to NUMA nodes that are not the processor's
) AS
WITH size (list, numbers) AS MATERIALIZED (SELECT list, count(*) FROM cpu_lists GROUP BY list),
     most (rank, cpu, calls) AS (SELECT rank, cpu, max(calls) FROM rank_processors GROUP BY rank),
     about (rank, quota, policy, nodes, online) AS (
         SELECT rank, max(CASE key WHEN 'cpu_quota' THEN CAST(value AS REAL) END), max(CASE key WHEN 'memory_policy' THEN value END),
                max(CASE key WHEN 'memory_nodes' THEN CAST(value AS TEXT) END), max(CASE key WHEN 'cpus_online' THEN CAST(value AS TEXT) END) FROM meta GROUP BY rank),
     one AS (
         SELECT p.rank, p.node, coalesce(m.cpu, p.start_cpu) AS cpu, p.moves, p.allowed_cpus, a.quota, a.policy, a.nodes, a.online,
                CASE WHEN a.policy LIKE 'bind %' THEN substr(a.policy, 6) ELSE a.nodes END AS memory
         FROM placements p LEFT JOIN most m ON m.rank = p.rank LEFT JOIN about a ON a.rank = p.rank)
SELECT o.rank, o.node, o.cpu, c.core, c.package, c.numa_node, o.moves, o.allowed_cpus, s.numbers,
       CASE WHEN o.allowed_cpus IS NULL THEN NULL
            WHEN s.numbers >= online.numbers THEN 'no'
            WHEN NOT EXISTS (SELECT number FROM cpu_lists WHERE list = o.allowed_cpus EXCEPT SELECT number FROM cpu_lists WHERE list = c.core_cpus)
            THEN 'core'
            WHEN c.package_cpus IS NULL THEN NULL
            WHEN NOT EXISTS (SELECT number FROM cpu_lists WHERE list = o.allowed_cpus EXCEPT SELECT number FROM cpu_lists WHERE list = c.package_cpus)
            THEN 'package' ELSE 'packages' END,
       o.quota, o.policy, o.nodes,
       CASE WHEN o.memory IS NOT NULL AND c.numa_node IS NOT NULL
            THEN NOT EXISTS (SELECT 1 FROM cpu_lists WHERE list = o.memory AND number = c.numa_node) END
FROM one o LEFT JOIN processor c ON c.rank = o.rank AND c.cpu = o.cpu LEFT JOIN size s ON s.list = o.allowed_cpus
     LEFT JOIN size online ON online.list = o.online;

CREATE VIEW node_loads ( -- one row per node: how many ranks share how many cores
    node, -- machine
    ranks, -- that ran there
    cpus, -- processors that at least one of them may run on; NULL: not known
    cores, -- cores that these are, as many processors to each as to the core that a rank was seen on
    cpu_quota, -- the least that control groups let one of them use at a time; NULL: no limit
    bound, -- of the ranks, those that may run on a part of the node only
    load -- ranks for each core: more than 1 is oversubscribed
) AS
WITH allowed (node, cpus) AS (
         SELECT node, count(DISTINCT number) FROM (SELECT DISTINCT node, allowed_cpus FROM placements) JOIN cpu_lists ON list = allowed_cpus GROUP BY node),
     width (node, cpus) AS (
         SELECT p.node, max((SELECT count(*) FROM cpu_lists l WHERE l.list = c.core_cpus))
         FROM (SELECT DISTINCT rank, core_cpus FROM processor) c JOIN process p ON p.rank = c.rank GROUP BY p.node)
SELECT b.node, count(*), a.cpus, (a.cpus + max(1, w.cpus) - 1) / max(1, w.cpus), min(b.cpu_quota), total(b.bound <> 'no') * 1,
       count(*) * 1.0 / max(1, (a.cpus + max(1, w.cpus) - 1) / max(1, w.cpus))
FROM bindings b LEFT JOIN allowed a ON a.node = b.node LEFT JOIN width w ON w.node = b.node GROUP BY b.node;

CREATE VIEW communicator_nodes ( -- communicators with members on several nodes
    id, -- as in run_communicators
    name, -- as there
    size, -- number of processes in it
    nodes, -- that its recorded members are on
    ranks, -- its recorded members
    predefined -- 1: the MPI's own
) AS
SELECT c.id, c.name, c.size, m.nodes, m.ranks, c.predefined
FROM run_communicators c
     JOIN (SELECT coalesce(o.uid, (o.rank << 32) + o.object) AS id, count(DISTINCT p.node) AS nodes, count(*) AS ranks
           FROM object o JOIN process p ON p.rank = o.rank WHERE o.kind = 'communicator' GROUP BY 1) m ON m.id = c.id
WHERE m.nodes > 1;
