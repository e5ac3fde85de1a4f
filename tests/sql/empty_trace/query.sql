-- Every view works on a trace without rows, and claims nothing.
SELECT sum(n) AS n_rows FROM (
    SELECT count(*) AS n FROM (SELECT * FROM communicator_time)
    UNION ALL SELECT count(*) FROM (SELECT * FROM function_time)
    UNION ALL SELECT count(*) FROM (SELECT * FROM call_sites)
    UNION ALL SELECT count(*) FROM (SELECT * FROM communicators)
    UNION ALL SELECT count(*) FROM (SELECT * FROM objects)
    UNION ALL SELECT count(*) FROM (SELECT * FROM object_counts)
    UNION ALL SELECT count(*) FROM (SELECT * FROM leaks)
    UNION ALL SELECT count(*) FROM (SELECT * FROM leaks_by_site)
    UNION ALL SELECT count(*) FROM (SELECT * FROM names)
    UNION ALL SELECT count(*) FROM (SELECT * FROM attributes)
    UNION ALL SELECT count(*) FROM (SELECT * FROM placements)
    UNION ALL SELECT count(*) FROM (SELECT * FROM processes)
    UNION ALL SELECT count(*) FROM (SELECT * FROM calls)
    UNION ALL SELECT count(*) FROM (SELECT * FROM sites)
    UNION ALL SELECT count(*) FROM (SELECT * FROM stacks)
);
