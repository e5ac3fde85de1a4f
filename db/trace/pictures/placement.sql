-- One row for each rank: where it made most of its calls.
SELECT b.rank, b.node, b.package, b.numa_node, b.core, b.cpu, b.bound, b.allowed, b.moves, n.load
FROM bindings b LEFT JOIN node_loads n ON n.node = b.node WHERE b.rank >= 0 ORDER BY b.rank
