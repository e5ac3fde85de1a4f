SELECT rank, function, mean_seconds FROM late_ranks UNION ALL SELECT rank, 'because of ' || cause, seconds FROM late_causes;
