SELECT scope, metric, verdict, kind, communicator, created_in, function, caller, base, new, change,
       change_percent, base_total, new_total, base_runs, new_runs, base_least, base_most, new_least, new_most,
       measured, p, adjusted_p, weight, change_low, change_high
FROM change WHERE scope <> 'rule' AND verdict <> 'same'
ORDER BY verdict IN ('untested', 'unclear', 'unknown'), scope <> 'run', weight DESC, abs(change) DESC, metric,
         communicator, function, caller
