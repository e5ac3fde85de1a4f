-- Sizes of messages, collective calls and transfers by communicator (its key, as in communicators).
SELECT coalesce(similar_to, 0) AS key, kind, size_class, least_bytes, most_bytes, sum(messages) AS messages,
       sum(bytes) AS bytes
FROM message_sizes GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
