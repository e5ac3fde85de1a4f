SELECT o.rank, o.object, o.uid, p.uid, c.size, c.own_rank, c.remote_size, o.adopted, o.freed_ns IS NOT NULL,
       o.predefined AND c.size = r.world_size, k.begun, k.function, k.root, l.label, f.class IS 'process'
FROM near n JOIN object o ON o.rank = n.rank AND o.object = n.object JOIN process r ON r.rank = o.rank
     LEFT JOIN function f ON f.function = o.function
     LEFT JOIN labels l ON l.rank = o.rank AND l.object = o.object
     LEFT JOIN object p ON p.rank = o.rank AND p.object = o.parent
     LEFT JOIN window w ON w.rank = o.rank AND w.object = o.object
     LEFT JOIN communicator c ON c.rank = o.rank AND c.object = CASE o.kind WHEN 'window' THEN w.communicator
                                                                           WHEN 'file' THEN o.parent ELSE o.object END
     LEFT JOIN collective k ON k.rank = o.rank AND k.object = o.object
ORDER BY o.rank, o.object
