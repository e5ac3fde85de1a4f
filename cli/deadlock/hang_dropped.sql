-- Messages to MPI_PROC_NULL (peer -2), the latest first.
SELECT e.rank, e.object, e.function, e.tag, e.site
FROM event e JOIN function f USING (function) JOIN near n ON n.rank = e.rank AND n.object = e.object
WHERE e.peer = -2 AND e.tag >= 0 AND f.class = 'point-to-point' AND f.transfer = 'send'
ORDER BY e.start_ns DESC
