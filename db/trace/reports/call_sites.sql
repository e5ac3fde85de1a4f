-- column inner_site: the line that called MPI, if another one is charged for it
SELECT function, min(charged_site) AS site, layer AS through,
       CASE WHEN min(site) <> min(charged_site) THEN min(site) END AS inner_site,
       sum(calls) AS calls, nullif(sum(open), 0) AS open,
       CASE WHEN sum(seconds) > 0 OR sum(open) = 0 THEN sum(seconds) END AS seconds,
       sum(percent) AS percent, sum(sent_bytes) AS sent_bytes, sum(received_bytes) AS received_bytes
FROM call_sites GROUP BY function, location(charged_site), layer,
                         CASE WHEN layer IS NOT NULL THEN location(site) END
ORDER BY sum(percent) IS NULL, sum(seconds) DESC, 1, 2
