WITH slot AS (
         SELECT b.*, substr(b.node, 1, 64) AS name, core IS NOT NULL AS known, coalesce(core, cpu) AS unit, p.cores
         FROM bindings b LEFT JOIN node_packages p ON p.node = b.node AND p.package = b.package
         WHERE b.rank >= 0)
SELECT *, allowed_cpus IS NOT NULL AS has_allowed, dense_rank() OVER (ORDER BY name) AS nodes,
       dense_rank() OVER (ORDER BY name, package, numa_node, known) AS boxes,
       dense_rank() OVER (ORDER BY name, package, numa_node, known, unit) AS places
FROM slot ORDER BY places, rank
