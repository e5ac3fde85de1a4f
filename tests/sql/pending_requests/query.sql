SELECT * FROM pending_requests ORDER BY rank, requests;
