SELECT *, (SELECT count(*) FROM change WHERE scope <> 'rule'
           AND (verdict LIKE '%more' OR verdict LIKE '%less')) AS changed,
       (SELECT count(*) FROM change WHERE scope <> 'rule' AND verdict = 'untested') AS untested,
       (SELECT count(*) FROM change WHERE scope <> 'rule' AND verdict LIKE 'perhaps%') AS perhaps,
       (SELECT count(*) FROM change WHERE scope <> 'rule' AND verdict = 'unclear') AS unclear,
       (SELECT count(*) FROM change WHERE scope = 'item' AND adjusted_p NOT NULL) AS items_tested,
       (SELECT one_after_other FROM sequence) AS one_after_other
FROM (SELECT sum(side = 'base') AS base_runs, sum(side = 'new') AS new_runs,
             (SELECT group_concat(DISTINCT ranks) FROM run WHERE side = 'base') AS base_ranks,
             (SELECT group_concat(DISTINCT ranks) FROM run WHERE side = 'new') AS new_ranks,
             (SELECT max(programs) FROM run WHERE side = 'base') AS base_program,
             (SELECT max(programs) FROM run WHERE side = 'new') AS new_program,
             min(ranks) < max(ranks) AS ranks_differ FROM run)
