SELECT verdict, wrong, p.cores, p.load, ranks, rank, bound, wide, allowed, memory_elsewhere FROM run_placement p, bindings ORDER BY rank
