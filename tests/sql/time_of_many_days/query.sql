SELECT 'communicator_time', calls, seconds, percent FROM communicator_time
UNION ALL SELECT 'run_communicator_time', calls, seconds, percent FROM run_communicator_time
UNION ALL SELECT 'function_time', calls, seconds, percent FROM function_time
UNION ALL SELECT 'call_sites', calls, seconds, percent FROM call_sites;
