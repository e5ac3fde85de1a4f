SELECT rank, object, function, transfer, peer, tag, collective, partitions, ready, persistent, copies, site, thread
FROM active_request WHERE rank >= 0 ORDER BY rank, request
