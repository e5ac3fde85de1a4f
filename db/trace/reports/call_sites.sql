-- Top call sites
-- overview: 6, 10 rows
-- drop: sent_bytes, calls
-- Where in the program MPI was called from, by time, all ranks together; % as for communicators.
SELECT function, site, calls, seconds, percent, sent_bytes FROM call_sites
