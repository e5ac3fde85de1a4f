SELECT pattern(c.name) AS pattern, r.created_by, count(*) AS count, min(c.name) AS name,
       min(c.size) AS least, max(c.size) AS most, min(c.nodes) AS least_nodes, max(c.nodes) AS most_nodes
FROM communicator_nodes c JOIN run_communicators r ON r.id = c.id WHERE NOT c.predefined
GROUP BY pattern(c.name), CASE WHEN c.name IS NULL THEN r.created_by END
