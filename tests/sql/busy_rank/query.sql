SELECT * FROM share_findings WHERE kind <> 'mpi_percent';
