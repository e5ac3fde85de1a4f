SELECT function, class, ranks, calls, nullif(open, 0) AS open,
       CASE WHEN seconds > 0 OR open = 0 THEN seconds END AS seconds, percent, median_seconds,
       most_seconds, longest_ns,
       sent_bytes, received_bytes
FROM function_time
