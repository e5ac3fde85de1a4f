SELECT r.text, r.metric, r.name, r.threshold, r.relative, c.base, c.new, c.p, c.base_runs, c.new_runs,
       c.item IS NULL AS absent, coalesce(c.measured, 0) AS measured,
       (SELECT one_after_other FROM sequence) AS one_after_other,
       CASE WHEN c.item IS NULL
            THEN CASE WHEN r.known OR EXISTS (SELECT 1 FROM figure f WHERE r.name IN (f.function, f.communicator,
                                                                              f.pattern, f.caller, f.kind))
                      THEN 'not met' ELSE 'undecided' END
            WHEN c.base IS NULL OR c.new IS NULL THEN 'undecided'
            WHEN c.measured AND (c.base_runs < 4 OR c.new_runs < 4) THEN 'undecided'
            WHEN c.new - c.base > CASE WHEN r.relative THEN c.base * r.threshold / 100 ELSE r.threshold END
                 AND (NOT c.measured OR c.p <= 0.05) THEN 'met' ELSE 'not met' END AS result
FROM rule r LEFT JOIN change c ON c.rule = r.rule ORDER BY r.rule
