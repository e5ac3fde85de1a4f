-- Uses tables, not views, which each trace lacks.
SELECT p.rank, p.pid, p.outcome, p.lost, p.damaged, f.name AS function, o.name AS object, o.kind,
       o.object AS number
FROM process p LEFT JOIN function f ON f.function = p.last_function
     LEFT JOIN object o ON o.rank = p.rank AND o.object = p.last_object
WHERE ?1 IS NULL OR p.rank = ?1 LIMIT 1
