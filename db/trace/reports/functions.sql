-- Functions by time
-- empty: No MPI call was recorded.
-- drop: received_bytes, sent_bytes, class, longest_ns, ranks
-- All ranks together; % is the share of all time in MPI but that of MPI_Init and MPI_Finalize.
SELECT function, class, ranks, calls, seconds, percent, longest_ns, sent_bytes, received_bytes FROM function_time
