WITH RECURSIVE
    number (rank) AS (
        SELECT 0 UNION ALL SELECT rank + 1 FROM number WHERE rank + 1 < ?1)
SELECT ranges(rank) AS ranks FROM number
WHERE rank NOT IN (SELECT rank FROM process)
