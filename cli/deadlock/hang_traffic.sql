SELECT t.rank, t.object, t.direction = 'send', t.peer, t.messages, t.direction IN ('put', 'get')
FROM traffic t JOIN near n ON n.rank = t.rank AND n.object = t.object
WHERE t.direction IN ('send', 'receive', 'put', 'get')
ORDER BY t.rank, t.object
