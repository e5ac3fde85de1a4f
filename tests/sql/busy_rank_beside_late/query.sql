SELECT kind, rank, other_rank, least, median, NULL AS about_seconds FROM share_findings WHERE kind <> 'mpi_percent'
UNION ALL SELECT kind, rank, NULL, NULL, NULL, about_seconds FROM late_findings;
