SELECT p.*, c.percent AS waiting_percent, w.percent AS all_percent, w.subject = 'inside' AS inside
FROM run_placement p LEFT JOIN core_findings c ON 1 LEFT JOIN core_wait_findings w ON 1
WHERE p.wrong
