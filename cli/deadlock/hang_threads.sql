WITH world (rank, object) AS (
    SELECT o.rank, min(o.object) FROM object o JOIN communicator c USING (rank, object) JOIN process p USING (rank)
    WHERE o.predefined AND c.size = p.world_size GROUP BY 1)
SELECT t.rank, t.thread, t.state, t.function,
       coalesce(t.object, CASE f.name WHEN 'MPI_Finalize' THEN w.object END), t.peer, t.tag, t.site, t.since_ns,
       t.until_ns, t.collective, t.source, t.source_tag, t.awaited, t.inner_function, t.inner_object, t.inner_peer,
       t.inner_tag, t.inner_collective, t.inner_site, t.inner_since_ns, t.tid
FROM thread t LEFT JOIN function f ON f.function = t.function LEFT JOIN world w ON w.rank = t.rank
WHERE t.rank >= 0 ORDER BY t.rank, t.thread
