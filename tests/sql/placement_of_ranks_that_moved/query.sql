SELECT b.rank, b.node, cpu, core, b.moves, bound, p.start_cpu, p.end_cpu, p.allowed_cpus, verdict, wrong
FROM bindings b JOIN placements p ON p.rank = b.rank, run_placement r ORDER BY b.rank
