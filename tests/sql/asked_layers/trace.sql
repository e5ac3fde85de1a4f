-- Two lists of CALLSIGN_THROUGH; ranks repeat them.
INSERT INTO meta (rank, key, value) VALUES (0, 'config.THROUGH', 'message_passing*, exchange,'), (1, 'config.THROUGH', 'message_passing*, exchange,'),
    (2, 'config.THROUGH', 'libgrid*'), (2, 'config.STACKS', 'calls');
