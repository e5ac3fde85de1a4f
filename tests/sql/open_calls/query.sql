SELECT 'communicator_time' AS what, communicator AS name, calls, open, seconds, percent FROM communicator_time
UNION ALL SELECT 'function_time', function, calls, open, seconds, percent FROM function_time
UNION ALL SELECT 'call_sites', function || ' ' || site, calls, open, seconds, percent FROM call_sites
UNION ALL SELECT 'calls', coalesce(object_name, communicator), sum(calls), sum(open), sum(time_ns) / 1e9, NULL FROM calls GROUP BY 2
UNION ALL SELECT 'balance', function || ', latest ' || coalesce(latest_rank, ''), calls, open, waiting_seconds, waiting_most_seconds FROM balance
UNION ALL SELECT 'processes', 'rank ' || rank, threads, NULL, thread_seconds, mpi_percent FROM processes
UNION ALL SELECT 'processes, lifecycle', 'rank ' || rank, NULL, NULL, lifecycle_seconds, other_percent FROM processes;
