-- Communicators, windows and files by time
-- overview: 4, 12 rows
-- empty: No MPI call was recorded.
-- drop: parent, received_bytes, sent_bytes
-- All ranks together; % is the share of all time in MPI but that of MPI_Init and MPI_Finalize. Communicators that nobody named and
-- that were created at the same call site share a row, and so do those of equal name.
SELECT communicator || CASE WHEN names > 1 THEN ' and ' || (names - 1) || ' more' WHEN objects > ranks AND communicators > 1
            THEN ' [' || communicators || ' ' || coalesce(kind, 'communicator') || 's]'
       ELSE '' END || CASE WHEN kind IN ('window', 'file') AND communicator NOT GLOB '(*' THEN ' (' || kind || ')' ELSE '' END AS communicator,
       size, parent, calls, seconds, percent, sent_bytes, received_bytes
FROM communicator_time
