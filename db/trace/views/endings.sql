-- Views: processes without MPI_Finalize.

CREATE VIEW endings ( -- processes without MPI_Finalize: a row for each thread that is or was inside MPI, or
        -- else for the last thread that was
    rank, -- rank of the process
    pid, -- process id
    outcome, -- died, exited, aborted, running
    abort_code, -- argument of MPI_Abort
    alive, -- outcome running: 1 if it is known to run; NULL: unknown
    inside, -- 1: the thread is or was inside the function; 0: the function had returned
    thread, -- number within the rank; NULL: it is the only row of the rank
    function, -- MPI function
    class, -- class of the function
    direction, -- relation of its peer: to, from, root; NULL: both or neither
    object_name, -- communicator, window or file of the call: its name in reports
    communicator_uid, -- its id; NULL: none, or unknown
    peer, -- peer of the call, as in thread
    tag, -- tag of the call, as in thread
    bytes, -- bytes to send, or size of the receive buffer
    site, -- call site
    begun_by, -- function that made the one request that the call waits for; NULL: another call, or several requests
    begun_site, -- its call site
    seconds, -- running: time in the call; else: begin of the call, or last sign of life, since the process's start
    died_first -- this rank probably died first: it was outside MPI, and all others waited. sure: the job
        -- was not killed from outside; likely: that is unknown; NULL: no, or unknown
) AS
WITH last (rank, inside, until_ns) AS (
         SELECT rank, max(state = 'inside'), max(until_ns) FROM thread GROUP BY rank),
     pending (rank, thread, function, site) AS MATERIALIZED (SELECT rank, thread, function, site FROM active_request),
     state (rank, pid, outcome, began_ns, seen_ns, inside, threads, thread, function, object, peer, tag, bytes, site,
            since_ns, until_ns, begun_by, begun_site) AS MATERIALIZED (
         SELECT p.rank, p.pid, p.outcome, p.began_ns, p.last_seen_ns, coalesce(t.state = 'inside', 0),
                count(*) OVER (PARTITION BY p.rank), t.thread, t.function, t.object, t.peer, t.tag, t.bytes, t.site,
                t.since_ns, t.until_ns, a.function, a.site
         FROM process p LEFT JOIN last l ON l.rank = p.rank
              LEFT JOIN thread t ON t.rank = p.rank
                                    AND CASE WHEN l.inside THEN t.state = 'inside' ELSE t.until_ns = l.until_ns END
              LEFT JOIN pending a ON a.rank = t.rank AND a.thread = t.thread AND t.awaited = 1 AND t.state = 'inside'
                                     AND t.inner_function IS NULL
         WHERE p.outcome <> 'finalized'),
     waiting (function) AS MATERIALIZED ( -- for somebody
         SELECT function FROM function
         WHERE class IN ('collective', 'completion', 'communicator')
               OR class = 'point-to-point' AND transfer IN ('receive', 'both')),
     first (sure) AS ( -- one row if all died, one was outside MPI, and all others waited
         SELECT max(j.own_end)
         FROM state, (SELECT max(of_ranks AND coalesce(as_after NOT IN ('SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM',
                                                                        'SIGKILL', 'SIGXCPU'), 0)) AS own_end
                      FROM job) j
         HAVING min(outcome) = 'died' AND max(outcome) = 'died' AND sum(NOT inside) = 1 AND sum(inside) > 0
                           AND sum(inside AND coalesce(function NOT IN (SELECT function FROM waiting), 0)) = 0
                           AND NOT (SELECT total(killed) FROM job))
SELECT s.rank, s.pid, s.outcome,
       CASE s.outcome WHEN 'aborted' THEN (SELECT value FROM meta WHERE rank = s.rank AND key = 'abort_code') END,
       CASE WHEN s.outcome = 'running' AND NOT EXISTS (SELECT 1 FROM meta WHERE rank = s.rank AND key = 'journal.writer'
                                                                              AND value = 'unknown') THEN 1 END,
       s.inside, CASE WHEN s.threads > 1 THEN s.thread END, f.name, f.class,
       CASE f.class WHEN 'collective' THEN 'root'
                    WHEN 'point-to-point' THEN CASE f.transfer WHEN 'receive' THEN 'from' WHEN 'send' THEN 'to' END END,
       l.label, o.uid, s.peer, s.tag, s.bytes, nullif(s.site, 0), b.name, nullif(s.begun_site, 0),
       CASE WHEN s.outcome = 'running' THEN s.seen_ns - CASE WHEN s.inside THEN s.since_ns ELSE s.until_ns END
            WHEN s.inside THEN s.since_ns - s.began_ns ELSE s.seen_ns - s.began_ns END / 1e9,
       CASE WHEN NOT s.inside THEN (SELECT CASE sure WHEN 1 THEN 'sure' ELSE 'likely' END FROM first) END
FROM state s LEFT JOIN function f ON f.function = s.function LEFT JOIN function b ON b.function = s.begun_by
     LEFT JOIN labels l ON l.rank = s.rank AND l.object = s.object
     LEFT JOIN object o ON o.rank = s.rank AND o.object = s.object;

CREATE VIEW ending_findings ( -- processes without MPI_Finalize: a part of findings
    kind, -- died, exited, aborted, running: the outcome; died_first: this rank probably died first
    ranks, -- ranks, as ranges: "0-3,7"
    rank, -- died_first: the rank
    processes, -- number of them
    communicator, -- communicator of the call: its name in reports
    communicator_uid, -- its id, as in run_communicators; NULL: none, or unknown
    function, -- MPI function
    site, -- call site
    subject, -- inside, outside: whether the function had not returned; died_first: sure or likely, as in endings
    seconds -- the most of endings.seconds
) AS
WITH ended (outcome, function, communicator, uid, site, inside, rank, seconds) AS MATERIALIZED (
         SELECT outcome, function, object_name, communicator_uid, site, inside, rank, seconds FROM endings
         WHERE rank >= 0),
     island (outcome, function, communicator, site, inside, first, last) AS (
         SELECT outcome, function, communicator, site, inside, min(rank), max(rank)
         FROM (SELECT *, rank - dense_rank() OVER (PARTITION BY outcome, function, communicator, site, inside
                                                   ORDER BY rank) AS island FROM ended)
         GROUP BY outcome, function, communicator, site, inside, island ORDER BY 6),
     listed (outcome, function, communicator, site, inside, ranks, first) AS (
         SELECT outcome, function, communicator, site, inside,
                group_concat(first || CASE last - first WHEN 0 THEN '' WHEN 1 THEN ',' || last ELSE '-' || last END,
                             ','),
                min(first)
         FROM island GROUP BY outcome, function, communicator, site, inside)
SELECT l.outcome, l.ranks, NULL, count(DISTINCT e.rank), l.communicator, min(e.uid), l.function, l.site,
       CASE l.inside WHEN 1 THEN 'inside' ELSE 'outside' END, max(e.seconds)
FROM listed l JOIN ended e ON e.outcome = l.outcome AND e.function IS l.function AND e.communicator IS l.communicator
                              AND e.site IS l.site AND e.inside = l.inside
GROUP BY l.outcome, l.function, l.communicator, l.site, l.inside
UNION ALL
SELECT 'died_first', CAST(rank AS TEXT), rank, 1, NULL, NULL, NULL, NULL, died_first, seconds
FROM endings WHERE died_first IS NOT NULL;
