SELECT wrong, load, ranks, nodes, cores, bound, bindings, (SELECT count(*) FROM bindings WHERE bound = 'core') AS to_a_core,
       (SELECT count(*) FROM communicator_nodes) AS communicators
FROM run_placement
