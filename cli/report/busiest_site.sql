SELECT function, min(charged_site) AS site, sum(percent) AS percent
FROM call_sites WHERE percent IS NOT NULL
GROUP BY function, location(charged_site)
ORDER BY 3 DESC, function, location(charged_site) LIMIT 1
