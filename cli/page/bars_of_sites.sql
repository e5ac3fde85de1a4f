SELECT function || ' ' || location(charged(min(site))) AS label, sum(seconds) AS value,
       duration(sum(seconds) * 1e9) AS text
FROM call_sites WHERE percent IS NOT NULL GROUP BY function, location(charged(site))
ORDER BY 2 DESC, 1 LIMIT 16
