SELECT NOT EXISTS (SELECT 1 FROM core_findings)
       AND (EXISTS (SELECT 1 FROM thread_usage WHERE delay_ns IS NOT NULL)
            OR NOT EXISTS (SELECT 1 FROM run_placement WHERE wrong))
       AND NOT EXISTS (SELECT 1 FROM process p WHERE p.outcome <> 'finalized' OR p.lost OR NOT EXISTS
               (SELECT 1 FROM event e WHERE e.rank = p.rank AND e.thread = 0 AND e.event = 1)) AS fit
WHERE EXISTS (SELECT 1 FROM event)
      -- a replay for one sentence must take less than a second
      AND (SELECT count(*) FROM (SELECT 1 FROM event LIMIT 200000)) < 200000
