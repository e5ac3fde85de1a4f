SELECT * FROM cpu_lists ORDER BY list, number
