-- What callsign computes from the events of all ranks in one pass, without SQL (event_tables.c). Views add names. These
-- are virtual tables of callsign's connections; a file that `callsign merge -o` writes has them as tables.

CREATE TABLE computed_message_pairs ( -- the rows of the view message_pairs
    id INT, source INT, dest INT, tag INT, nth INT, bytes INT, communicator INT, source_thread INT, source_event INT,
    send_function INT, send_site INT, send_start_ns INT, send_end_ns INT, posted_ns INT, posted_function INT,
    posted_site INT, dest_thread INT, dest_event INT, receive_function INT, receive_site INT, receive_start_ns INT,
    receive_end_ns INT, error_ns INT);

CREATE TABLE computed_waits ( -- the view wait_states without window_waits; functions and objects are numbers
    kind TEXT, rank INT, thread INT, event INT, function INT, site INT,
    named_by INT, -- rank whose name of the object is shown
    object INT, -- number of the object on this rank
    id INT, cause INT, cause_function INT, cause_site INT, start_ns INT, wait_ns INT, error_ns INT);

CREATE TABLE computed_wait_sums ( -- the rows of computed_waits, added up
    kind TEXT, rank INT, function INT, site INT, named_by INT, object INT, id INT, cause INT, cause_function INT,
    cause_site INT, waits INT, wait_ns INT);

CREATE TABLE computed_collectives ( -- the view collective_times; functions and objects are numbers
    object INT, -- its number on last_rank
    id INT, collective INT, function INT, site INT, members INT, first_ns INT, last_ns INT, last_rank INT, left_ns INT,
    wait_ns INT, error_ns INT);

CREATE TABLE computed_path ( -- reads: wait_states
        -- what the view critical_path follows: a row for each wait in wait_states of a first
        -- thread, one for the end of the run and one for each rank where event_span begins
    number INT, -- 1 and up: waits as they end; 0: the end of the run; -1 and down: the begin, of rank 0 and up
    rank INT,
    end_ns INT, -- when the wait ends
    mpi_ns INT, -- time of the rank in MPI calls until then
    cause INT, cause_mpi_ns INT, -- the same of the rank that it waited for
    before INT, -- the last wait of this rank, or of rank in row 0, that ended before
    kind TEXT, function TEXT, site INT, object_name TEXT, id INT, cause_function TEXT, cause_site INT);

CREATE TABLE computed_call_times ( -- time in calls within event_span, for the view efficiency
    rank INT, object INT, calls_ns INT);

CREATE TABLE computed_hidden_deadlocks ( -- the view hidden_deadlocks; functions are numbers
    circle INT, rank INT, function INT, object INT, site INT, sends INT);

CREATE TABLE computed_timeline ( -- the calls of the view timeline: short ones of a part, function and object share a
        -- row
    rank INT, thread INT, function INT, object INT,
    part INT, -- of the time of the rank
    event INT, -- of a call that is longer than a part
    from_ns INT, until_ns INT, calls INT, inside_ns INT, site INT, peer INT, tag INT, bytes INT);

CREATE TABLE computed_event_ranges ( -- the view event_ranges
    rank INT, from_ns INT, to_ns INT, left_ns INT, entered_ns INT, mpi_ns INT);

CREATE TABLE computed_gains ( -- late ranks, each as fast as the median rank between calls: how long the run would take
    rank INT,
    length_ns INT, -- then
    recorded_ns INT); -- the part that all ranks have events of

CREATE TABLE computed_forecasts ( -- what callsign whatif answers, for the view forecast_rows
    kind TEXT, -- a question, path: a part of the critical path of its answer, or else the name of a fact
    question INT, -- its number; 0: the run as it is; NULL: a fact
    rank INT, -- that the question changes, or that has most of this part
    site INT, -- a call site, likewise
    named_by INT, -- rank whose name of the object is shown
    object INT, -- number of the object on this rank
    region INT,
    value INT, -- nanoseconds, or what the fact counts; latency: picoseconds
    claimed INT, in_call INT, rank_ns INT,
    distance INT); -- between ranks: 0 core, 1 package, 2 node, 3 remote
