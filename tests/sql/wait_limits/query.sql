SELECT source, mpi_ns, ran_ns, round(least_ns) AS least_ns, (SELECT group_concat(DISTINCT kind) FROM wait_states) AS waits,
       (SELECT group_concat(printf('%s %.0f ns from %.0f ns', kind, mean_seconds * 1e9, from_seconds * 1e9)) FROM wait_findings) AS findings
FROM wait_limits;
