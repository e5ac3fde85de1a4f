-- The calls that posted receives which others completed.
SELECT m.rank, m.posted_thread, m.posted, m.message
FROM event_message m JOIN event e ON e.rank = m.rank AND e.thread = m.posted_thread AND e.event = m.posted
WHERE m.rank >= 0 AND m.direction = 'receive' AND m.posted_thread = m.thread AND m.event IS NOT NULL
ORDER BY m.rank, m.posted_thread, e.start_ns, e.duration_ns DESC, m.posted, m.message
