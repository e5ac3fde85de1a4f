SELECT count(DISTINCT CASE operation WHEN 'get' THEN coalesce(kind, '')
                                                     || coalesce('.' || key_site, keyval) END) AS keys,
       total(CASE operation WHEN 'get' THEN calls END) AS calls,
       total(CASE operation WHEN 'set' THEN calls END) AS stored
FROM attributes WHERE operation <> 'survey'
