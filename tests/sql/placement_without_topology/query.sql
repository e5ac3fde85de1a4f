SELECT wrong, p.cores, p.cores_known, p.load, ranks, rank, b.bound, wide, allowed, memory_elsewhere
FROM run_placement p, bindings b ORDER BY rank
