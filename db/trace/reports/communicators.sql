-- Time by communicator, window, file: % without Init and Finalize
-- overview: 4, 12 rows
-- empty: No MPI call was recorded.
-- drop: parent, received_bytes, sent_bytes
-- All ranks together. open: calls that have not returned, whose time counts until the rank was last seen. Communicators that nobody named
-- and that were created at the same call site share a row, and so do those of equal name and site. Rows of one name that differ otherwise
-- are numbered.
SELECT row_name || CASE WHEN number THEN coalesce(' (' || location(site) || ')', '') ELSE '' END AS communicator,
       size, parent, calls, nullif(open, 0) AS open,
       CASE WHEN seconds > 0 OR open = 0 THEN seconds END AS seconds, percent, sent_bytes, received_bytes
FROM communicator_time
