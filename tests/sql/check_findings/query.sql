SELECT * FROM check_findings ORDER BY communicator_uid, call_number;
