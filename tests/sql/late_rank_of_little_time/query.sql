SELECT (SELECT waiting_percent FROM balance) AS of_time_percent, (SELECT count(*) FROM late_findings) AS claims;
