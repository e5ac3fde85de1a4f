SELECT n.*, p.wrong, p.cores AS run_cores, p.oversubscribed_nodes, p.quota_cores, p.quota_nodes, p.bound AS run_bound
FROM node_loads n, run_placement p ORDER BY node
