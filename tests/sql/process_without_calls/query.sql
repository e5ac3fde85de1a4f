SELECT p.rank, p.outcome, p.seconds, p.mpi_percent, l.start_cpu, l.moves FROM processes p JOIN placements l USING (rank);
