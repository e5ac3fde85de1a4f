SELECT function, name, coalesce(class, '') AS class, coalesce(collective, '') AS collective,
       coalesce(transfer, '') AS transfer, mode IS 'blocking' AS blocking, mode IS 'nonblocking' AS nonblocking,
       op IS NOT NULL AS combines,
       class = 'one-sided' AS one_sided, creates IS NOT NULL AS creates,
       class = 'one-sided' AND transfer IS NULL
       AND (collective IS NOT NULL OR waits IN ('posts', 'target', 'others')) AS awaits,
       epoch_act IS 'lock' AS locks, epoch_act IS 'unlock' AS unlocks
FROM function ORDER BY function
