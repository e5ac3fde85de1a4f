SELECT rank, last_call, last_peer, last_tag, last_seconds, completed_call, completed_communicator, completed_location, last_seen_ns, mpi_percent
FROM processes ORDER BY rank;
