SELECT thread, call, way, object_name, id, size, peer, peer_rank FROM waits WHERE rank = 0;
