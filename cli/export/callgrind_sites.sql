SELECT site, coalesce(caller, 0) AS caller, coalesce(function, location, '?') AS function,
       coalesce(file, '(unknown)') AS file, coalesce(line, 0) AS line,
       coalesce(module, '(unknown)') AS module
FROM sites
