SELECT rtrim(communicator, '0123456789') AS communicators, distance, count(*) AS pairs, sum(sent_messages) AS sent, sum(received_messages) AS received, sum(sent_bytes) AS bytes,
       (SELECT count(*) FROM traffic_differences) AS differences
FROM traffic_pairs GROUP BY 1, distance ORDER BY 1, distance
