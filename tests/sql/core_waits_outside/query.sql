SELECT kind, percent FROM core_findings UNION ALL SELECT kind, percent FROM core_wait_findings;
