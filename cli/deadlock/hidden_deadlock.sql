SELECT json_insert(coalesce(?1, '[]'), '$[#]',
    json_object('kind', 'hidden_deadlock', 'severity', 2, 'ranks', ?2, 'processes', ?3, 'subject', ?4,
                'function', ?5, 'site', ?6,
                'other_site', nullif(?7, iif(location(charged(?7)) IS location(charged(?6)), ?7, NULL)),
                'communicator', (SELECT label FROM labels WHERE rank = ?8 AND object = ?9)))
