SELECT row_name(communicator, number, names, CASE WHEN objects > ranks THEN communicators END, kind)
       AS communicator,
       CASE WHEN number THEN location(charged(site)) END AS location, size, parent, calls, nullif(open, 0) AS open,
       CASE WHEN seconds > 0 OR open = 0 THEN seconds END AS seconds, percent, sent_bytes,
       received_bytes
FROM communicator_time
