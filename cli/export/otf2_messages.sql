SELECT m.rank, m.thread, m.event, m.communicator, m.direction = 'send', m.peer, m.tag, m.bytes, m.message,
       m.posted_thread IS m.thread
FROM event_message m JOIN event e ON e.rank = m.rank AND e.thread = m.thread AND e.event = m.event
WHERE m.rank >= 0
ORDER BY m.rank, m.thread, e.start_ns, e.duration_ns DESC, m.event, m.message
