SELECT rank, max(at_ns, ?1), objects
FROM (SELECT rank, at_ns, sum(sum(change)) OVER (PARTITION BY rank ORDER BY at_ns) AS objects,
             lead(at_ns) OVER (PARTITION BY rank ORDER BY at_ns) AS next_ns
      FROM (SELECT rank, created_ns AS at_ns, 1 AS change FROM object
            WHERE created_ns IS NOT NULL AND NOT predefined AND NOT internal
            UNION ALL
            SELECT rank, freed_ns, -1 FROM object
            WHERE created_ns IS NOT NULL AND freed_ns IS NOT NULL AND NOT predefined AND NOT internal)
      WHERE rank IN (SELECT rank FROM temp.part_calls)
      GROUP BY rank, at_ns)
WHERE at_ns < ?2 AND coalesce(next_ns > ?1, 1) ORDER BY rank, at_ns
