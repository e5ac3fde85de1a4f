SELECT rank, b.bound, wide, memory_elsewhere, p.wrong, p.ranks, p.elsewhere, p.bound AS bound_ranks, p.bound_to_core
FROM bindings b, run_placement p ORDER BY rank
