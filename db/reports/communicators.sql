-- Communicators by time
-- overview: 2, 12 rows
-- empty: No MPI call was recorded.
-- All ranks together; % is the share of all time in MPI. Communicators that nobody named and that were made at the same place
-- share a row.
SELECT communicator || CASE WHEN names > 1 THEN ' and ' || (names - 1) || ' more' WHEN objects > ranks THEN ' [' || objects || ' objects]'
       ELSE '' END AS communicator,
       size, parent, calls, seconds, percent, sent_bytes, received_bytes
FROM communicator_time
