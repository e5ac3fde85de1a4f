SELECT object_name AS communicator, kind, number, last_number, calls, ranks, side, function, root,
       operation, size_bytes, datatype, site, NULL AS tag, NULL AS messages, NULL AS other_rank,
       NULL AS error, members
FROM (SELECT * FROM mismatches ORDER BY object_name, id, number, kind, rank, side)
UNION ALL
SELECT communicator, CASE kind WHEN 'type' THEN 'message_type' ELSE kind END, NULL, NULL, NULL,
       ranks, side, NULL, NULL, NULL, sent_bytes, datatype, site, tag, counted, other_rank, NULL,
       NULL
FROM (SELECT * FROM mismatched_messages ORDER BY communicator, id, kind, tag, side DESC, rank)
UNION ALL
SELECT communicator, 'error_returned', NULL, NULL, NULL, ranks, NULL, function, NULL, NULL, NULL,
       NULL, site, tag, NULL, peer, error, NULL
FROM failed_calls WHERE misuse
UNION ALL
SELECT communicator, kind, NULL, NULL, NULL, ranks, NULL, function, NULL, NULL, NULL,
       NULL, site, NULL, value, NULL, NULL, NULL
FROM misuses
