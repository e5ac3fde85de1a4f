-- Sends and collective calls that others completed. A send that MPI_Start or MPI_Startall began is a message.
SELECT c.rank, c.thread, c.event, c.posted, coalesce(m.direction, p.direction) IS 'send', p.function,
       coalesce(m.communicator, p.object), coalesce(m.peer, p.peer), coalesce(m.bytes, p.bytes)
FROM event_completion c JOIN event e ON e.rank = c.rank AND e.thread = c.thread AND e.event = c.event
     LEFT JOIN event_message m ON m.rank = c.rank AND m.thread = c.posted_thread AND m.message = c.posted
                                  AND m.direction = 'send' AND m.event IS NOT NULL
     LEFT JOIN event p ON p.rank = c.rank AND p.thread = c.posted_thread AND p.event = c.posted
WHERE c.rank >= 0 AND c.posted_thread = c.thread
      AND (m.message IS NOT NULL OR p.direction = 'send' OR p.collective IS NOT NULL)
ORDER BY c.rank, c.thread, e.start_ns, e.duration_ns DESC, c.event, c.entry
