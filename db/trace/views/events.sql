-- Views: what happened when, from the recorded events. docs/timeline.md explains which calls have events.

CREATE VIEW events ( -- recorded calls, in order of time. All ranks are on the time axis of the run
    rank, -- rank of the process
    thread, -- as in threads
    event, -- number among the entries of the thread; unique, with gaps
    start_ns, -- begin of the call
    end_ns, -- its end
    duration_ns, -- its duration
    function, -- MPI function
    class, -- as in function
    object, -- communicator, window or file: its number within the rank
    object_name, -- its name in reports
    id, -- its id, equal on all processes that share it; NULL: only this one has it, or unknown
    site, -- call site
    calls, -- 1; more: equal calls in turn that polled
    inside_ns, -- time in these calls together, without the pauses between them
    peer, -- rank in the communicator, as the call named it; of a received message: its source. In a collective call:
        -- the root. -1 MPI_ANY_SOURCE, -2 MPI_PROC_NULL, -3 MPI_ROOT
    tag, -- tag as the call named it; of a received message: its tag
    bytes, -- data of the message or the call
    collective, -- number of the collective call on the object, equal on all members
    direction, -- send, receive: the call itself sent or received one message
    nth, -- as in messages
    error_ns -- possible error of this rank's clock; NULL: unbounded
) AS
SELECT e.rank, e.thread, e.event, e.start_ns, e.start_ns + e.duration_ns, e.duration_ns, f.name, f.class, e.object,
       l.label, o.uid, e.site, e.calls, coalesce(e.inside_ns, e.duration_ns), e.peer, e.tag, e.bytes, e.collective,
       e.direction, e.nth,
       CASE WHEN p.clock_error_ns IS NOT NULL THEN p.clock_error_ns
            WHEN (SELECT count(DISTINCT node) FROM process) = 1 THEN 0 END
FROM event e JOIN process p USING (rank) LEFT JOIN function f ON f.function = e.function
     LEFT JOIN object o ON o.rank = e.rank AND o.object = e.object
     LEFT JOIN labels l ON l.rank = e.rank AND l.object = e.object
ORDER BY e.start_ns, e.rank, e.thread, e.event;

-- shared: events, overview, others
CREATE VIEW message_pairs ( -- the view messages without names
    id, -- as in messages
    source, -- as in messages
    dest, -- as in messages
    tag, -- as in messages
    nth, -- as in messages
    bytes, -- as in messages
    communicator, -- its object on the source
    source_thread, -- as in messages
    source_event, -- as in messages
    send_function, -- as in messages, as a number
    send_site, -- as in messages
    send_start_ns, -- as in messages
    send_end_ns, -- as in messages
    posted_ns, -- as in messages
    posted_function, -- as in messages, as a number
    posted_site, -- as in messages
    dest_thread, -- as in messages
    dest_event, -- as in messages
    receive_function, -- as in messages, as a number
    receive_site, -- as in messages
    receive_start_ns, -- as in messages
    receive_end_ns, -- as in messages
    error_ns -- as in messages
) AS
SELECT * FROM computed_message_pairs;

CREATE VIEW messages ( -- messages of which both sides are certain: the n-th that was sent is the n-th that was received
    communicator, -- name in reports
    id, -- id of the communicator
    source, -- rank in MPI_COMM_WORLD that sent it
    dest, -- rank in MPI_COMM_WORLD that received it
    tag, -- tag
    nth, -- number among the messages with this communicator, source, dest and tag, from 1
    bytes, -- data, as received
    source_thread, -- thread that sent it
    source_event, -- its event
    send_function, -- function that sent it
    send_site, -- call site
    send_start_ns, -- begin of that call
    send_end_ns, -- its end
    posted_ns, -- begin of the call that posted the receive
    posted_function, -- its function
    posted_site, -- its call site
    dest_thread, -- thread whose call completed the receive
    dest_event, -- the event of that call
    receive_function, -- function that completed the receive
    receive_site, -- call site
    receive_start_ns, -- begin of that call
    receive_end_ns, -- its end
    error_ns -- possible error of the difference between both clocks; 0: one node. NULL: unbounded
) AS
SELECT n.label, m.id, m.source, m.dest, m.tag, m.nth, m.bytes, m.source_thread, m.source_event, s.name, m.send_site,
       m.send_start_ns, m.send_end_ns, m.posted_ns, p.name, m.posted_site, m.dest_thread, m.dest_event, r.name,
       m.receive_site, m.receive_start_ns, m.receive_end_ns, m.error_ns
FROM message_pairs m LEFT JOIN function s ON s.function = m.send_function
     LEFT JOIN function p ON p.function = m.posted_function LEFT JOIN function r ON r.function = m.receive_function
     LEFT JOIN labels n ON n.rank = m.source AND n.object = m.communicator;

-- kept: events, others
CREATE VIEW collective_times ( -- collective calls of which all members have an event: the n-th on a communicator,
        -- window or file
    object_name, -- its name in reports
    id, -- its id
    collective, -- number of the call on it, from 1
    function, -- MPI function, on the rank that entered last
    site, -- call site of that rank
    members, -- number of members
    first_ns, -- when the first member entered
    last_ns, -- when the last member entered
    last_rank, -- the last member to enter
    left_ns, -- when the last member left
    wait_ns, -- time of all members from their entry to the last one's, as far as they were in the call
    error_ns -- possible error of the clocks; 0: one node. NULL: unbounded
) AS
SELECT n.label, c.id, c.collective, f.name, c.site, c.members, c.first_ns, c.last_ns, c.last_rank, c.left_ns, c.wait_ns,
       c.error_ns
FROM computed_collectives c LEFT JOIN function f ON f.function = c.function
     LEFT JOIN labels n ON n.rank = c.last_rank AND n.object = c.object
ORDER BY c.last_ns;

-- kept: events, others
CREATE VIEW wait_states ( -- calls that waited for another rank, as Scalasca defines wait states. A wait that the error
        -- of the clocks could explain has no row
    kind, -- late_sender: a receive or a probe began before its send; wrong_order: likewise, while an earlier message of
        -- the same source was there and was received later; late_receiver: a blocking send, or the wait for another
        -- one, began before its receive was posted;
        -- wait_at_barrier, wait_at_nxn: a collective call without or with data in which all wait for all;
        -- wait_at_fence: MPI_Win_fence; late_broadcast: for the root; early_reduce: the root for all others;
        -- early_scan: for lower ranks; late_post, late_complete, wait_for_lock: as in window_waits
    rank, -- rank that waited
    thread, -- its thread
    event, -- the event of its call
    function, -- function of that call
    site, -- its call site
    object_name, -- communicator, window or file: its name in reports
    id, -- its id
    cause, -- rank that it waited for
    cause_function, -- function that this rank called too late
    cause_site, -- call site there
    start_ns, -- begin of the wait
    wait_ns, -- its duration
    error_ns -- possible error of wait_ns
) AS
WITH found (kind, rank, thread, event, function, site, object_name, id, cause, cause_function, cause_site, start_ns,
            wait_ns, error_ns) AS (
         SELECT w.kind, w.rank, w.thread, w.event, f.name, w.site, n.label, w.id, w.cause, o.name, w.cause_site,
                w.start_ns, w.wait_ns, w.error_ns
         FROM computed_waits w CROSS JOIN function f ON f.function = w.function
              LEFT JOIN function o ON o.function = w.cause_function
              LEFT JOIN labels n ON n.rank = w.named_by AND n.object = w.object
         UNION ALL
         SELECT kind, rank, thread, event, function, site, object_name, id, cause, cause_function, cause_site, start_ns,
                wait_ns, error_ns
         FROM window_waits WHERE wait_ns > error_ns)
SELECT * FROM found WHERE id IS NULL OR id NOT IN (SELECT id FROM bypassed_objects)
ORDER BY start_ns, rank;

-- kept: events, overview
CREATE VIEW wait_sums ( -- the rows of wait_states, added up
    kind, -- as in wait_states
    rank, -- rank that waited
    function, -- function of its calls
    site, -- their call site
    object_name, -- communicator, window or file: its name in reports
    id, -- its id
    cause, -- rank that it waited for
    cause_function, -- function that this rank called too late
    cause_site, -- call site there
    waits, -- number of waits
    wait_ns -- their duration
) AS
WITH found (kind, rank, function, site, object_name, id, cause, cause_function, cause_site, waits, wait_ns) AS (
         SELECT w.kind, w.rank, f.name, w.site, n.label, w.id, w.cause, o.name, w.cause_site, w.waits, w.wait_ns
         FROM computed_wait_sums w CROSS JOIN function f ON f.function = w.function
              LEFT JOIN function o ON o.function = w.cause_function
              LEFT JOIN labels n ON n.rank = w.named_by AND n.object = w.object
         UNION ALL
         SELECT kind, rank, function, site, object_name, id, cause, cause_function, cause_site, 1, wait_ns
         FROM window_waits WHERE wait_ns > error_ns)
SELECT kind, rank, function, site, object_name, id, cause, cause_function, cause_site, sum(waits), sum(wait_ns)
FROM found WHERE id IS NULL OR id NOT IN (SELECT id FROM bypassed_objects)
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9;

-- kept: events, overview
CREATE VIEW hidden_deadlocks ( -- ranks that would wait for each other in a circle if no send was buffered. Only of runs
        -- with all events of all ranks, of a million at most
    circle, -- number of the circle
    rank, -- a member
    function, -- function that it waits in
    object, -- communicator, window or file of the call: its number within the rank
    site, -- call site
    sends -- 1: it waits for the receive of its standard send
) AS
SELECT c.circle, c.rank, f.name, c.object, c.site, c.sends
FROM computed_hidden_deadlocks c LEFT JOIN function f ON f.function = c.function;
