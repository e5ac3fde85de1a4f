SELECT rank, bound, wide, memory_elsewhere, verdict, wrong FROM bindings, run_placement ORDER BY rank
