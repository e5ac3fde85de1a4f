SELECT partner, sum(messages) AS messages, sum(bytes) AS bytes,
       ranges(coalesce(source, dest)) AS ranks
FROM traffic_pairs WHERE partner IS NOT NULL GROUP BY partner
ORDER BY instr('MPI_PROC_NULL others elsewhere', partner)
