SELECT t.rank, t.communicator, t.tag, max(t.last_tag), CASE min(t.site) WHEN max(t.site) THEN min(t.site) ELSE -1 END
FROM tag t JOIN near n ON n.rank = t.rank AND n.object = t.communicator
WHERE t.direction = 'send' GROUP BY 1, 2, 3
ORDER BY 1, 2, 3
