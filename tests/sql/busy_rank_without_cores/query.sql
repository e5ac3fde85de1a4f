SELECT * FROM share_findings WHERE kind <> 'mpi_percent'
UNION ALL SELECT kind, NULL, NULL, processes, percent, NULL, NULL FROM core_findings;
