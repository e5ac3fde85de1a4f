-- Rank 0 counted 3 other busy threads for a second, rank 1 six for two seconds; the kernel did not tell rank 2.
INSERT INTO process_usage (rank, user_ns, system_ns, peak_bytes, busy_ns, node_ns) VALUES
    (0, 0, 0, 4096, 3000000000, 1000000000), (1, 0, 0, 4096, 12000000000, 2000000000), (2, 0, 0, 4096, NULL, NULL);
