WITH end (utc_ns) AS (SELECT ?1),
     alive (rank) AS ( -- when the job was ended; an error may have come from the end of other ranks
         SELECT p.rank FROM process p, end
         WHERE end.utc_ns IS NOT NULL AND p.lost = 0 AND p.damaged = 0
               AND (p.outcome = 'died' OR (p.outcome IN ('exited', 'aborted')
                                           AND EXISTS (SELECT 1 FROM thread t WHERE t.rank = p.rank AND t.state = 'inside')))
               AND NOT EXISTS (SELECT 1 FROM meta m WHERE m.rank = p.rank AND m.key IN ('journal.writer', 'journal.still_s'))
               AND NOT EXISTS (SELECT 1 FROM failed_call e WHERE e.rank = p.rank))
SELECT p.rank, p.node, p.pid, iif(a.rank IS NULL, p.outcome, 'running'),
       p.lost = 0 AND p.damaged = 0 AND NOT EXISTS (SELECT 1 FROM pcontrol c WHERE c.rank = p.rank AND c.level = 0),
       coalesce(p.thread_level, '') = 'MPI_THREAD_MULTIPLE', iif(a.rank IS NULL, p.last_seen_ns, end.utc_ns - p.zero_utc_ns),
       (SELECT count(*) < 32768 FROM active_request a WHERE a.rank = p.rank), p.world_size,
       EXISTS (SELECT 1 FROM object e WHERE e.rank = p.rank AND e.kind = 'errhandler' AND NOT e.predefined),
       EXISTS (SELECT 1 FROM created_keyval k
               WHERE k.rank = p.rank AND (k.copy_function IS NULL OR k.delete_function IS NULL)),
       b.rank IS NOT NULL,
       EXISTS (SELECT 1 FROM profile c JOIN function f USING (function)
               WHERE c.rank = p.rank AND f.request_act = 'cancel')
FROM process p JOIN end LEFT JOIN bypassing_processes b ON b.rank = p.rank LEFT JOIN alive a ON a.rank = p.rank
WHERE p.rank >= 0 ORDER BY p.rank
