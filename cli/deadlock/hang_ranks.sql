SELECT p.rank, p.node, p.pid, p.outcome,
       p.lost = 0 AND p.damaged = 0 AND NOT EXISTS (SELECT 1 FROM pcontrol c WHERE c.rank = p.rank AND c.level = 0),
       coalesce(p.thread_level, '') = 'MPI_THREAD_MULTIPLE', p.last_seen_ns,
       (SELECT count(*) < 32768 FROM active_request a WHERE a.rank = p.rank), p.world_size,
       EXISTS (SELECT 1 FROM object e WHERE e.rank = p.rank AND e.kind = 'errhandler' AND NOT e.predefined),
       EXISTS (SELECT 1 FROM created_keyval k
               WHERE k.rank = p.rank AND (k.copy_function IS NULL OR k.delete_function IS NULL)),
       b.rank IS NOT NULL,
       EXISTS (SELECT 1 FROM profile c JOIN function f USING (function)
               WHERE c.rank = p.rank AND f.request_act = 'cancel')
FROM process p LEFT JOIN bypassing_processes b ON b.rank = p.rank WHERE p.rank >= 0 ORDER BY p.rank
