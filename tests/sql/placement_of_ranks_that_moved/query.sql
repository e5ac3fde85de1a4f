SELECT b.rank, b.node, cpu, core, b.moves, b.bound, p.start_cpu, p.end_cpu, p.allowed_cpus, r.wrong, r.bindings, r.bound AS bound_ranks
FROM bindings b JOIN placements p ON p.rank = b.rank, run_placement r ORDER BY b.rank
