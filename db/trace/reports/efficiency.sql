-- column communicator: name of the communicator, window or file; (the run): all of them
SELECT coalesce(object_name, CASE WHEN id IS NULL THEN '(the run)' END) AS communicator, id, ranks,
       seconds, parallel_percent, load_balance_percent, communication_percent,
       serialization_percent, transfer_percent, busiest_rank, calls_seconds, wait_seconds
FROM efficiency
