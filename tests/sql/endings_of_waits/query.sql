SELECT rank, function, object_name, peer, tag, site, begun_by, begun_site FROM endings ORDER BY rank;
