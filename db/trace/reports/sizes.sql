-- column messages_percent: their share of the messages of this kind
-- column bytes_percent: their share of the bytes of this kind
SELECT kind, size_class, CASE WHEN size_class THEN 1 << (size_class - 1) ELSE 0 END AS least_bytes,
       (1 << size_class) - 1 AS most_bytes, sum(messages) AS messages,
       sum(messages) * 100.0 / nullif(sum(sum(messages)) OVER same, 0) AS messages_percent,
       sum(bytes) AS bytes, sum(bytes) * 100.0 / nullif(sum(sum(bytes)) OVER same, 0) AS bytes_percent
FROM message_sizes GROUP BY kind, size_class WINDOW same AS (PARTITION BY kind)
ORDER BY instr('point-to-point persistent collective one-sided file', kind), size_class
