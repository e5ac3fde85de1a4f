SELECT n.*, p.verdict, p.wrong FROM node_loads n, run_placement p ORDER BY node
