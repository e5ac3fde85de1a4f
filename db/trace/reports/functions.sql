-- Time by function: % of MPI time without Init and Finalize
-- empty: No MPI call was recorded.
-- drop: received_bytes, sent_bytes, class, longest_ns, ranks
-- All ranks together. open: calls that have not returned, whose time counts until the rank was last seen; none is shown if nothing was heard
-- of the rank after the call began.
SELECT function, class, ranks, calls, nullif(open, 0) AS open,
       CASE WHEN seconds > 0 OR open = 0 THEN seconds END AS seconds, percent, longest_ns, sent_bytes, received_bytes FROM function_time
