SELECT kind, severity, ranks, rank, communicator_uid, object_kind, function, site, subject, calls, nodes, facts, seconds, percent, least, most
FROM findings;
