-- One row for each communicator of the run, whatever its number of ranks. Those with the same parent, size and call
-- site share a row if their names differ only by digits: count is their number, # stands for the digits. not_freed
-- counts those that some rank never freed. The tree has at most 16 levels; deeper communicators appear on the last.
-- column communicator: name of the communicator, below that of its parent; # stands for numbers that differ
-- column count: number of communicators in the row
-- column lifetime_ns: from creation to free, mean of those that were freed
-- column not_freed: number of those that some rank never freed
WITH RECURSIVE
    node (id, parent, fold, name, label, size, created_by, site, created_ns, freed_ns, predefined) AS MATERIALIZED (
        SELECT id, CAST(parent AS INT),
               dense_rank() OVER (ORDER BY pattern(name), size, remote_size, created_by, site), name, pattern(name),
               CASE WHEN remote_size IS NULL THEN size ELSE size || '+' || remote_size END, created_by, site,
               created_ns, freed_ns, predefined
        FROM run_communicators),
    walk (id, depth, above, path) AS (
        SELECT id, 0, '', '/' || fold FROM node WHERE parent IS NULL OR parent NOT IN (SELECT id FROM node)
        UNION ALL
        SELECT n.id, min(w.depth + 1, 16), CASE WHEN w.depth < 16 THEN w.path ELSE w.above END,
               CASE WHEN w.depth < 16 THEN w.path ELSE w.above END || '/' || n.fold
        FROM walk w JOIN node n ON n.parent = w.id),
    line (path, above, depth, label, size, created_by, site, count, created_ns, lifetime_ns,
          not_freed) AS MATERIALIZED (
        SELECT w.path, max(w.above), max(w.depth),
               CASE WHEN min(n.name) = max(n.name) THEN min(n.name) ELSE max(n.label) END,
               max(n.size), max(n.created_by), max(n.site), count(*), min(n.created_ns), avg(n.freed_ns - n.created_ns),
               sum(n.freed_ns IS NULL AND NOT n.predefined)
        FROM walk w JOIN node n ON n.id = w.id GROUP BY w.path),
    tree (path, depth, created_ns, label, size, count, created_by, site, lifetime_ns, not_freed) AS (
        SELECT path, depth, created_ns, label, size, count, created_by, site, lifetime_ns, not_freed FROM line
        WHERE depth = 0
        UNION ALL
        SELECT l.path, l.depth, l.created_ns, l.label, l.size, l.count, l.created_by, l.site, l.lifetime_ns, l.not_freed
        FROM tree t JOIN line l ON l.above = t.path ORDER BY 2 DESC, 3, 1)
SELECT label AS communicator, depth, size, count, created_by, site, created_ns, lifetime_ns, not_freed
FROM tree
