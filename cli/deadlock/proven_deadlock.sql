SELECT json_insert(coalesce(?1, '[]'), '$[#]',
    json_object('kind', 'deadlock', 'severity', 1, 'ranks', ?2, 'processes', ?3,
                'function', ?4, 'communicator', ?5, 'communicator_uid', ?6,
                'seconds', ?7, 'subject', ?8))
