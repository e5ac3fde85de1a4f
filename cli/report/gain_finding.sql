SELECT json_insert(coalesce(?1, '[]'), '$[#]',
    json_object('kind', 'gain', 'severity', 3, 'rank', ?2, 'seconds', ?3, 'median_seconds', ?4, 'percent', ?5)) AS found
