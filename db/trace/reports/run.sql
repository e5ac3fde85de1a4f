-- What ran, where, when, how long. Then a line for everything that is missing.
WITH one AS (
    SELECT group_concat(DISTINCT replace(program, rtrim(program, replace(program, '/', '')), '')) AS programs,
           sum(rank >= 0) AS ranks, sum(rank < 0) AS unranked, max(world_size) AS world_size, count(DISTINCT node) AS nodes,
           min(node) AS a_node, min(started_utc) AS started, max(last_seen_ns) - min(began_ns) AS ran_ns,
           sum(outcome <> 'finalized') AS unfinished, sum(outcome = 'died') AS dead
    FROM process),
share AS (
    SELECT total(lifecycle_seconds) * 100.0 / nullif(total(thread_seconds), 0) AS lifecycle_percent,
           total(other_percent * thread_seconds) / nullif(total(thread_seconds), 0) AS other_percent, max(threads) > 1 AS threaded
    FROM processes),
mpi AS ( -- "Open MPI v4.1.4, package: ..." and "MPICH Version:<tab>4.0.2<newline>..."
    SELECT trim(replace(replace(replace(line, ' ', '<>'), '><', ''), '<>', ' ')) AS version
    FROM (SELECT replace(replace(substr(value, 1, length), char(9), ' '), 'Version:', ' ') AS line
          FROM (SELECT value, min(instr(value || ',', ','), instr(value || char(10), char(10))) - 1 AS length
                FROM meta WHERE key = 'mpi' ORDER BY rank LIMIT 1))),
missing AS (
    SELECT ranges(number) AS ranks, count(number) AS count
    FROM (WITH RECURSIVE n (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM n
                                        WHERE number + 1 < (SELECT min(world_size, 100000) FROM one))
          SELECT number FROM n WHERE number < (SELECT world_size FROM one) AND number NOT IN (SELECT rank FROM process)))
SELECT coalesce(programs, 'a program') || ': '
       || CASE WHEN ranks = 0 THEN unranked || ' process' || CASE unranked WHEN 1 THEN '' ELSE 'es' END || ' without a rank'
               ELSE ranks || CASE ranks WHEN 1 THEN ' rank' ELSE ' ranks' END END
       || ' on ' || CASE nodes WHEN 1 THEN a_node ELSE nodes || ' nodes' END
       || coalesce(', ' || (SELECT version FROM mpi), '')
       || coalesce((SELECT ' (standard ABI)' FROM meta WHERE key = 'flavour' AND value = 'abi' LIMIT 1), '')
       || coalesce(', ' || replace(replace(started, 'T', ' '), 'Z', ' UTC'), '')
       || coalesce(', ran ' || duration(max(ran_ns, coalesce((SELECT seconds * 1e9 FROM job WHERE of_ranks AND unfinished), 0))), '')
       || coalesce(printf(': %.1f %% of the %s time%s in MPI_Init and MPI_Finalize, %.1f %% in other MPI calls', lifecycle_percent,
                          CASE WHEN threaded THEN 'threads''' WHEN ranks = 0 THEN 'processes''' ELSE 'ranks''' END,
                          CASE WHEN dead THEN ' until they were last heard of' ELSE '' END, other_percent), '')
       || CASE WHEN unfinished THEN '' WHEN ranks = 1 THEN '; it finalized' ELSE '; all finalized' END AS line
FROM one, share
UNION ALL
SELECT 'No trace of ' || CASE count WHEN 1 THEN 'rank ' ELSE 'ranks ' END || ranks || ': what follows is without '
       || CASE count WHEN 1 THEN 'it' ELSE 'them' END
FROM missing WHERE count > 0 AND NOT (single() AND (SELECT count(*) FROM process) = 1) -- else one rank was asked for
UNION ALL
SELECT 'Not everything could be recorded: ' || sum(lost) || ' facts are missing, on ranks ' || ranges(rank)
FROM process WHERE lost > 0 GROUP BY NULL
UNION ALL
SELECT 'Calls of MPI from ' || value || ' were not recorded (opened with RTLD_DEEPBIND), on ranks ' || ranges(rank)
FROM (SELECT rank, replace(value, ':', ', ') AS value FROM meta WHERE key = 'not_recorded') GROUP BY value
UNION ALL
SELECT 'The journals of ranks ' || ranges(rank) || ' were cut off or damaged: there may have been more'
FROM process WHERE damaged GROUP BY NULL
UNION ALL
SELECT 'The clocks of the nodes were apart by up to ' || duration(apart_ns) || '; times here are by that of rank ' || first_rank
       || coalesce(', to ' || duration(error_ns), '')
FROM (SELECT max(max(offset_ns), 0) - min(min(offset_ns), 0) AS apart_ns, max(error_ns) AS error_ns, min(first_rank) AS first_rank
      FROM clocks WHERE error_ns IS NOT NULL HAVING count(*) > 1) WHERE apart_ns >= 1000000
UNION ALL
SELECT 'Nothing tells how the ' || CASE WHEN count(*) = 1 THEN 'clock of node ' || min(node) WHEN count(*) <= 4 THEN 'clocks of nodes ' || group_concat(node, ', ')
                                        ELSE 'clocks of ' || count(*) || ' nodes' END
       || ' stood to the others: ' || CASE count(*) WHEN 1 THEN 'its' ELSE 'their' END || ' time of day is believed'
FROM (SELECT node FROM clocks WHERE error_ns IS NULL AND drift_ppb IS NOT NULL ORDER BY first_rank) HAVING count(*) > 0
UNION ALL
SELECT 'What binds the ' || CASE WHEN count(*) = 1 THEN 'clock of node ' || min(node) WHEN count(*) <= 4 THEN 'clocks of nodes ' || group_concat(node, ', ')
                                 ELSE 'clocks of ' || count(*) || ' nodes' END
       || ' to the others is contradictory by up to ' || duration(max(contradiction_ns)) || ': the view clock_contradictions has the calls'
FROM (SELECT node, contradiction_ns FROM clocks WHERE contradiction_ns > 0 ORDER BY first_rank) HAVING count(*) > 0
