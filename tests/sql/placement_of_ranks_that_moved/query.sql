SELECT rank, node, cpu, core, moves, bound, verdict, wrong FROM bindings, run_placement ORDER BY rank
