-- One line for each state in which ranks are or ended: the call in which a thread was and what it waited for, or else the last call
-- that was completed. Ranks in the same state share it, and if there are many, so do those that differ by peer, tag and length only.
-- First how the command of `callsign run` ended.
WITH state (rank, pid, outcome, ending, inside, thread, call, class, object, peer, tag, bytes, site, ns) AS MATERIALIZED (
         SELECT p.rank, p.pid, p.outcome,
                CASE p.outcome WHEN 'exited' THEN ' exited without MPI_Finalize'
                               WHEN 'aborted' THEN ' aborted' || coalesce((SELECT ' with code ' || value FROM meta m WHERE m.rank = p.rank AND m.key = 'abort_code'), '')
                               WHEN 'running' THEN (SELECT ' may be running' FROM meta m WHERE m.rank = p.rank AND m.key = 'journal.writer' AND m.value = 'unknown')
                               ELSE ' ' || p.outcome END,
                coalesce(t.state = 'inside', 0), CASE WHEN count(*) OVER (PARTITION BY p.rank) > 1 THEN t.thread END,
                f.name, f.class, l.label, t.peer, t.tag, t.bytes, nullif(t.site, 0),
                CASE WHEN p.outcome = 'running' THEN p.last_seen_ns - CASE t.state WHEN 'inside' THEN t.since_ns ELSE t.until_ns END
                     WHEN t.state = 'inside' THEN t.since_ns - p.began_ns ELSE p.last_seen_ns - p.began_ns END
         FROM process p
              LEFT JOIN (SELECT rank, max(state = 'inside') AS inside, max(until_ns) AS until_ns FROM thread GROUP BY rank) w ON w.rank = p.rank
              LEFT JOIN thread t ON t.rank = p.rank AND CASE WHEN w.inside THEN t.state = 'inside' ELSE t.until_ns = w.until_ns END
              LEFT JOIN function f ON f.function = t.function LEFT JOIN labels l ON l.rank = t.rank AND l.object = t.object
         WHERE p.outcome <> 'finalized'),
     many (many) AS (
         SELECT count(*) > 16 FROM (SELECT DISTINCT outcome, inside, thread, call, object, peer, tag, bytes, site FROM state)),
     message (rank, thread, text) AS (
         SELECT rank, thread,
                coalesce(CASE WHEN class = 'collective' THEN ', root ' WHEN call GLOB '*[Ss]endrecv*' THEN ' with '
                              WHEN call GLOB '*[Rr]ecv*' OR call GLOB '*[Pp]robe' THEN ' from ' WHEN call GLOB '*[Ss]end*' THEN ' to ' ELSE ' with ' END
                         || CASE peer WHEN -1 THEN 'any rank' WHEN -2 THEN 'MPI_PROC_NULL' WHEN -3 THEN 'MPI_ROOT' ELSE 'rank ' || peer END, '')
                || coalesce(CASE tag WHEN -1 THEN ', any tag' ELSE ', tag ' || tag END, '') || coalesce(', ' || bytes(bytes), '')
         FROM state, many WHERE inside AND NOT many),
     line (unranked, outcome, ending, inside, thread, call, count, who, first, least, most) AS MATERIALIZED (
         SELECT s.rank < 0, s.outcome, s.ending, s.inside, s.thread,
                s.call || coalesce(' on ' || s.object, '') || coalesce(m.text, '') || coalesce(', at ' || location(s.site), '') AS call,
                count(*), ranges(CASE WHEN s.rank < 0 THEN s.pid ELSE s.rank END), min(s.rank), duration(min(s.ns)), duration(max(s.ns))
         FROM state s LEFT JOIN message m ON m.rank = s.rank AND m.thread IS s.thread GROUP BY 1, 2, 3, 4, 5, 6),
     waiting (class) AS (VALUES ('collective'), ('completion'), ('communicator')),
     first (rank) AS ( -- the one that was outside MPI, if all others waited for somebody in a call
         SELECT max(CASE WHEN NOT inside THEN rank END) FROM state WHERE (SELECT min(outcome) = 'died' AND max(outcome) = 'died' FROM state)
         HAVING sum(NOT inside) = 1 AND sum(inside) > 0
                AND sum(inside AND NOT (class IN (SELECT class FROM waiting) OR call GLOB '*[Rr]ecv*' OR call GLOB '*[Pp]robe')) = 0)
SELECT CASE WHEN NOT of_ranks AND received IS NOT NULL THEN 'callsign run received ' || received || ' after ' || duration(received_seconds * 1e9)
            WHEN received IS NOT NULL THEN 'The job was killed after ' || duration(received_seconds * 1e9) || ': callsign run received ' || received
            WHEN signal IS NOT NULL THEN program || ' was ended by ' || signal || ' after ' || duration(seconds * 1e9)
            ELSE program || ' ended with exit code ' || exit_code || coalesce(', as after ' || as_after, '') || ', after ' || duration(seconds * 1e9) END AS line
FROM job WHERE EXISTS (SELECT 1 FROM state)
UNION ALL
SELECT CASE unranked WHEN 1 THEN 'Process' ELSE 'Rank' END
       || CASE count WHEN 1 THEN ' ' ELSE CASE unranked WHEN 1 THEN 'es ' ELSE 's ' END END || who || coalesce(', thread ' || thread || ',', '')
       || coalesce(ending, CASE count WHEN 1 THEN ' is running' ELSE ' are running' END)
       || CASE WHEN inside AND outcome = 'running' THEN ', in ' || call || coalesce(', for ' || least, '')
               WHEN inside THEN ' in ' || call || coalesce(', entered after ' || least, '')
               WHEN outcome = 'running' THEN ', outside MPI' || coalesce(' for ' || least, '') || coalesce('; last call: ' || call, '')
               ELSE CASE outcome WHEN 'died' THEN ' outside MPI' ELSE '' END || coalesce(', last heard of after ' || least, '')
                    || coalesce('; last call: ' || call, '') END
       || CASE WHEN least < most OR least > most THEN ' to ' || most ELSE '' END
FROM (SELECT * FROM line ORDER BY outcome = 'running', inside, first, thread)
UNION ALL
SELECT 'Probably rank ' || rank || ' died first' || CASE WHEN own_end THEN '' ELSE ', unless the job was killed from outside' END
       || ': it was outside MPI, and the others waited for somebody'
FROM first, (SELECT max(of_ranks AND coalesce(as_after NOT IN ('SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGKILL', 'SIGXCPU'), 0)) AS own_end,
                    total(killed) AS killed FROM job)
WHERE rank IS NOT NULL AND NOT killed
