-- column least_peak_rank: the lowest rank with the least peak
-- column most_peak_rank: the lowest rank with the most
SELECT s.*, least_peak_bytes, u.least_rank AS least_peak_rank, median_peak_bytes, most_peak_bytes,
       u.most_rank AS most_peak_rank, cpu_seconds, system_seconds, read_bytes, written_bytes, disk_bytes
FROM run_summary s LEFT JOIN run_usage u
