-- Views: what ran, and what the recording lacks.

CREATE VIEW run_summary ( -- one row: program, place and time of the run, and how it ended
    programs, -- names of the programs' files, or of the scripts that they run, "a,b"; NULL: unknown
    ranks, -- recorded ranks
    unranked, -- processes that never got a rank
    nodes, -- how many machines
    node, -- one of them
    mpi, -- name and version; NULL: unknown
    standard_abi, -- 1: the program has the standard ABI
    started_utc, -- start of the first process
    seconds, -- from the first to the last instant known
    threaded, -- 1: several threads of a process called MPI
    lifecycle_percent, -- time in MPI_Init, MPI_Finalize and similar functions, as share of all threads' time
    other_percent, -- time in other MPI functions, as share of all threads' time
    unfinished, -- processes without MPI_Finalize
    dead -- processes that died
) AS
WITH one AS (
         SELECT group_concat(DISTINCT coalesce(
                    (SELECT value FROM meta WHERE meta.rank IS process.rank AND key = 'script'),
                    replace(program, rtrim(program, replace(program, '/', '')), ''))) AS programs,
                sum(rank >= 0) AS ranks, sum(rank < 0) AS unranked, count(DISTINCT node) AS nodes, min(node) AS node,
                min(started_utc) AS started_utc, max(last_seen_ns) - min(began_ns) AS ran_ns,
                sum(outcome <> 'finalized') AS unfinished, sum(outcome = 'died') AS dead
         FROM process),
     share AS (
         SELECT total(lifecycle_seconds) * 100.0 / nullif(total(thread_seconds), 0) AS lifecycle_percent,
                total(other_percent * thread_seconds) / nullif(total(thread_seconds), 0) AS other_percent,
                max(threads) > 1 AS threaded
         FROM processes),
     mpi AS ( -- "Open MPI v4.1.4, package: ..." and "MPICH Version:<tab>4.0.2<newline>..."
         SELECT trim(replace(replace(replace(line, ' ', '<>'), '><', ''), '<>', ' ')) AS version
         FROM (SELECT replace(replace(substr(value, 1, length), char(9), ' '), 'Version:', ' ') AS line
               FROM (SELECT value, min(instr(value || ',', ','), instr(value || char(10), char(10))) - 1 AS length
                     FROM meta WHERE key = 'mpi' ORDER BY rank LIMIT 1)))
SELECT programs, ranks, unranked, nodes, node, (SELECT version FROM mpi),
       EXISTS (SELECT 1 FROM meta WHERE key = 'flavour' AND value = 'abi'), started_utc,
       max(ran_ns / 1e9, coalesce((SELECT seconds FROM job WHERE of_ranks AND unfinished), 0)), threaded,
       lifecycle_percent, other_percent, unfinished, dead
FROM one, share;

CREATE VIEW recording_findings ( -- gaps in the recording, and the state of its clocks: a part of findings
    kind, -- missing_ranks, facts_lost, library_not_recorded, journal_damaged, recording_paused, after_finalize,
        -- clocks_apart, clock_unbound, clock_contradiction
    ranks, -- ranks concerned, as ranges: "0-3,7"; NULL: the run
    rank, -- clocks_apart: rank whose clock is that of the run
    subject, -- libraries, nodes, functions called after MPI_Finalize: "a, b"; NULL: more than four nodes
    facts, -- facts_lost: number of facts
    nodes, -- clock_unbound, clock_contradiction: number of nodes
    seconds, -- clocks_apart, clock_contradiction: the largest difference
    error_seconds -- clocks_apart: remaining error of instants
) AS
WITH RECURSIVE
    whole (size) AS (SELECT min(max(world_size), 100000) FROM process),
    number (rank) AS (
        SELECT 0 FROM whole WHERE size > 0 UNION ALL SELECT rank + 1 FROM number, whole WHERE rank + 1 < size),
    -- the functions of all ranks, each once
    word (libraries, name, rest) AS (
        SELECT DISTINCT libraries, NULL, functions || ':' FROM bypassing_processes WHERE functions IS NOT NULL
        UNION SELECT libraries, substr(rest, 1, instr(rest, ':') - 1), substr(rest, instr(rest, ':') + 1)
        FROM word WHERE rest <> ''),
    named (libraries, names) AS MATERIALIZED (
        SELECT libraries, group_concat(name, ', ')
        FROM (SELECT DISTINCT libraries, name FROM word WHERE name IS NOT NULL ORDER BY 1, 2) GROUP BY libraries),
    said (kind, subject, rank) AS MATERIALIZED (
        SELECT 'missing_ranks', NULL, rank FROM number WHERE rank NOT IN (SELECT rank FROM process)
        UNION ALL SELECT 'facts_lost', NULL, rank FROM process WHERE lost > 0
        UNION ALL SELECT 'library_not_recorded',
                         replace(b.libraries, ':', ', ') || coalesce(' (' || n.names || ')', ''), b.rank
                  FROM bypassing_processes b LEFT JOIN named n ON n.libraries = b.libraries
        UNION ALL SELECT 'journal_damaged', NULL, rank FROM process WHERE damaged
        UNION ALL SELECT DISTINCT 'recording_paused', NULL, rank FROM pcontrol WHERE level = 0
        UNION ALL SELECT 'after_finalize', replace(value, ':', ', '), rank FROM meta WHERE key = 'after_finalize'),
    island (kind, subject, first, last) AS (
        SELECT kind, subject, min(rank), max(rank)
        FROM (SELECT *, rank - dense_rank() OVER (PARTITION BY kind, subject ORDER BY rank) AS island FROM said)
        GROUP BY kind, subject, island ORDER BY 3),
    listed (place, kind, subject, ranks) AS (
        SELECT instr('missing_ranks facts_lost library_not_recorded journal_damaged recording_paused after_finalize',
                     kind), kind, subject,
               group_concat(first || CASE last - first WHEN 0 THEN '' WHEN 1 THEN ',' || last ELSE '-' || last END, ',')
        FROM island GROUP BY kind, subject ORDER BY 1, subject)
SELECT kind, ranks, NULL, subject, CASE kind WHEN 'facts_lost' THEN (SELECT sum(lost) FROM process WHERE lost > 0) END,
       NULL, NULL, NULL
FROM listed
UNION ALL
SELECT 'clocks_apart', NULL, first_rank, NULL, NULL, NULL, apart_ns / 1e9, error_ns / 1e9
FROM (SELECT max(max(offset_ns), 0) - min(min(offset_ns), 0) AS apart_ns, max(error_ns) AS error_ns,
             min(first_rank) AS first_rank
      FROM clocks WHERE error_ns IS NOT NULL HAVING count(*) > 1) WHERE apart_ns >= 1000000
UNION ALL
SELECT 'clock_unbound', NULL, NULL, CASE WHEN count(*) <= 4 THEN group_concat(node, ', ') END, NULL, count(*), NULL,
       NULL
FROM (SELECT node FROM clocks WHERE error_ns IS NULL AND drift_ppb IS NOT NULL ORDER BY first_rank) HAVING count(*) > 0
UNION ALL
SELECT 'clock_contradiction', NULL, NULL, CASE WHEN count(*) <= 4 THEN group_concat(node, ', ') END, NULL, count(*),
       max(contradiction_ns) / 1e9, NULL
FROM (SELECT node, contradiction_ns FROM clocks WHERE contradiction_ns > 0 ORDER BY first_rank) HAVING count(*) > 0;
