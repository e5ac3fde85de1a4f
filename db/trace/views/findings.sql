-- Views: all findings about a run. Made by db/trace/describe.py from gen/model/finding.model: change that.

-- kept: others
CREATE VIEW findings ( -- findings about the run: one row for each. `callsign report` adds deadlock and hidden_deadlock,
        -- which no view can prove
    kind, -- what is found: docs/findings.md
    severity, -- 1: error, 2: warning, 3: note
    ranks, -- ranks concerned, as ranges: "0-3,7"; NULL: the run
    rank, -- the rank that stands out
    other_rank, -- mpi_percent, other_percent: rank with the most
    processes, -- number of processes; about late ranks and waits: those that wait
    communicator, -- name of the communicator, window or file, or how it was created
    communicator_uid, -- its id, as in run_communicators; for similar ones in one row that of the first. NULL: none, or
        -- unknown
    object_kind, -- window, file; leak: kind of the objects; about attributes: kind of the key's objects
    communicators, -- number of similar communicators, as in communicator_time. NULL: a rank has one
    number, -- number of the communicator, as in communicator_time
    names, -- number of names of similar communicators, as in communicator_time
    objects, -- number of objects
    function, -- MPI function
    cause_function, -- function that ended a wait; NULL: the same function. late_cause: function that ends the code, or
        -- the longer call
    site, -- call site
    cause_site, -- call site that ended a wait
    cause_lines, -- number of lines that ended such waits; cause_site is on the one with the most waiting time.
        -- late_rank: number of lines with the call; site is on the one with the most time
    other_site, -- call site of the other call of a conflict
    from_function, -- late_cause: function before the code
    from_site, -- its call site
    key_site, -- call site that created an attribute key
    attribute, -- attribute that the MPI defines
    answer, -- about attributes: the MPI's answer, or the error
    error, -- error that a call returned
    subject, -- deadlock: job if the proof is of the moment when it was ended from outside; hidden_deadlock: sends, or
        -- waits if some wait for something else; late_rank: least, about: what seconds are; late_cause: code, before,
        -- call; slow_place: node, package, core; libraries, nodes; after_finalize: functions; messages, transfers or
        -- both; collective_differs: what differs; died, ...: inside or outside the function; died_first: sure or likely
    cause, -- late_cause: what takes the time, as in late_causes; slow_place: work, slow_core
    node, -- late_cause: machine with more ranks than cores; slow_place: machine
    package, -- slow_place: package; NULL: the whole node
    core, -- slow_place: core within the package; NULL: the whole package
    value, -- about wrong calls: the wrong value, as in misuses
    tag, -- tag; the first one of a range; tag_too_large: the largest
    last_tag, -- the last one of a range
    call_number, -- number of the call among the collective calls on the communicator
    last_call_number, -- the last one of a range
    calls, -- number of calls
    unknown_calls, -- calls of processes that died in them: their time is not included
    median_calls, -- late_cause: median of the other ranks
    waits, -- number of waits
    pairs, -- number of pairs of ranks
    nodes, -- number of nodes; slow_place: of other nodes, packages or cores
    cores, -- number of cores
    faults, -- number of page faults
    moves, -- number of moves from one processor to another
    found, -- polling: number of calls that found something
    facts, -- number of facts of the recording
    messages, -- number of messages
    bytes, -- data in messages and transfers
    seconds, -- waiting time, time in calls, difference of clocks, or time since the start
    mean_seconds, -- about late ranks and waits: waiting time of one of the processes, on average
    median_seconds, -- late_cause: time of the other ranks in the same code, median. varying_code: shortest repetition
    core_seconds, -- late_cause: part on a core
    delay_seconds, -- late_cause: part runnable, without a core
    off_seconds, -- late_cause: part off the core
    kernel_seconds, -- late_cause: part in the kernel
    error_seconds, -- remaining error of clocks
    from_seconds, -- begin of the time that the events of all ranks cover, if it is not most of the run
    to_seconds, -- its end
    percent, -- share of the MPI time (Init and Finalize not counted); share of the data; about waits: share of the time
        -- in recorded calls
    function_percent, -- share of a function
    open_percent, -- share of calls that have not returned
    near_percent, -- share of the data within nodes
    least, -- least of several ranks
    median, -- median of several ranks
    most, -- most of several ranks
    load, -- ranks for each core
    clock_ghz, -- slow_place: cycles for each nanosecond on a core
    median_ghz, -- slow_place: the same of the other ranks
    cpu_quota -- processors that control groups allow
) AS
SELECT kind, CASE WHEN kind IN ('after_finalize') THEN 1 WHEN kind IN ('recording_paused', 'clocks_apart') THEN 3 ELSE 2
       END, ranks, rank, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, subject, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, nodes, NULL, NULL, NULL, NULL, facts, NULL, NULL, seconds, NULL, NULL, NULL, NULL, NULL, NULL,
       error_seconds, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM recording_findings WHERE kind IN ('missing_ranks', 'facts_lost', 'library_not_recorded', 'journal_damaged',
      'recording_paused', 'after_finalize', 'clocks_apart', 'clock_unbound', 'clock_contradiction')
UNION ALL
SELECT 'collective_differs', 1, ranks, rank, NULL, NULL, communicator, communicator_uid, NULL, NULL, NULL, NULL, NULL,
       function, NULL, site, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, subject, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, call_number, last_call_number, calls, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL
FROM check_findings
UNION ALL
SELECT 'message_differs', 1, ranks, rank, NULL, NULL, communicator, communicator_uid, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, site, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, tag,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, messages, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM message_findings
UNION ALL
SELECT 'error_returned', 2, ranks, rank, NULL, NULL, communicator, communicator_uid, NULL, NULL, NULL, NULL, NULL,
       function, NULL, site, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, error, NULL, NULL, NULL, NULL, NULL, NULL,
       tag, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM failed_calls WHERE misuse
UNION ALL
SELECT kind, 1, ranks, rank, NULL, NULL, communicator, communicator_uid, NULL, NULL, NULL, NULL, NULL, function, NULL,
       site, NULL, NULL, other_site, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, value, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM misuses WHERE kind IN ('aliased_buffers', 'active_request', 'attached_too_small', 'attached_twice', 'beyond_frame',
      'beyond_window', 'concurrent_calls', 'concurrent_collectives', 'concurrent_completion', 'conflicting_access',
      'dead_memory', 'epoch_in_epoch', 'false_assertion', 'freed_handle', 'inactive_request', 'invalid_color',
      'invalid_dimension', 'invalid_dimensions', 'invalid_operation', 'invalid_partition', 'invalid_rank',
      'invalid_root', 'invalid_size', 'invalid_start', 'invalid_tag', 'locked_twice', 'misplaced_in_place',
      'mixed_weights', 'negative_count', 'never_closed', 'never_completed', 'no_attached_buffer', 'no_epoch',
      'no_handle', 'no_topology', 'not_inter', 'not_initialized', 'not_intra', 'not_locked', 'not_opened',
      'not_persistent', 'null_array', 'null_buffer', 'null_communicator', 'null_datatype', 'null_errhandler',
      'null_file', 'null_group', 'null_info', 'null_message', 'null_operation', 'null_output', 'null_request',
      'null_session', 'null_window', 'open_epoch', 'overlapping_blocks', 'overlapping_entries', 'overwritten_buffer',
      'predefined_freed', 'racing_access', 'readied_twice', 'repeated_rank', 'request_freed', 'same_request',
      'stolen_message', 'target_too_small', 'thread_level', 'uncommitted_datatype', 'unfinished_buffer',
      'unmatched_neighbor', 'zero_stride')
UNION ALL
SELECT kind, CASE WHEN kind IN ('running') THEN 3 ELSE 1 END, ranks, rank, NULL, processes, communicator,
       communicator_uid, NULL, NULL, NULL, NULL, NULL, function, NULL, site, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, subject, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, seconds, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM ending_findings WHERE kind IN ('died', 'exited', 'aborted', 'running', 'died_first')
UNION ALL
SELECT kind, 3, NULL, NULL, NULL, NULL, communicator, communicator_uid, object_kind, communicators, number, names, NULL,
       function, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, calls, unknown_calls, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       seconds, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, percent, function_percent, open_percent, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM time_findings WHERE kind IN ('mpi_time', 'no_time')
UNION ALL
SELECT kind, 2, NULL, NULL, NULL, processes, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, cores, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, percent, NULL, NULL, NULL, least, NULL, most, NULL, NULL, NULL, cpu_quota
FROM core_findings WHERE kind IN ('no_cores')
UNION ALL
SELECT kind, 2, ranks, rank, NULL, processes, communicator, communicator_uid, object_kind, NULL, number, NULL, NULL,
       function, NULL, site, NULL, cause_lines, NULL, NULL, NULL, NULL, NULL, NULL, NULL, subject, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       seconds, mean_seconds, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, percent, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL
FROM late_rank_findings WHERE kind IN ('late_rank')
UNION ALL
SELECT kind, 2, ranks, NULL, NULL, processes, NULL, NULL, NULL, NULL, NULL, NULL, NULL, function, NULL, site, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       calls, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, found, NULL, NULL, NULL, seconds, mean_seconds, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM polling_findings WHERE kind IN ('polling')
UNION ALL
SELECT kind, CASE WHEN kind IN ('busy_rank') THEN 2 ELSE 3 END, NULL, rank, other_rank, processes, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, least, median, most,
       NULL, NULL, NULL, NULL
FROM share_findings WHERE kind IN ('busy_rank', 'mpi_percent', 'other_percent')
UNION ALL
SELECT kind, 3, NULL, NULL, NULL, NULL, communicator, communicator_uid, object_kind, communicators, number, names, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, subject, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, bytes, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, percent, NULL, NULL, near_percent, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL
FROM data_findings WHERE kind IN ('data_between_ranks')
UNION ALL
SELECT kind, 2, ranks, rank, NULL, NULL, NULL, NULL, object_kind, NULL, NULL, NULL, objects, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, least, NULL, most, NULL, NULL, NULL, NULL
FROM leak_findings WHERE kind IN ('leak')
UNION ALL
SELECT kind, 2, NULL, NULL, NULL, processes, NULL, NULL, object_kind, NULL, NULL, NULL, objects, function, NULL, site,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM growing_findings WHERE kind IN ('growing')
UNION ALL
SELECT kind, 2, ranks, rank, NULL, processes, communicator, communicator_uid, NULL, NULL, NULL, NULL, NULL, function,
       cause_function, NULL, cause_site, cause_lines, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, waits, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, seconds, mean_seconds, NULL, NULL, NULL, NULL, NULL, NULL, from_seconds, to_seconds, percent, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM wait_findings WHERE kind IN ('late_sender', 'wrong_order', 'late_receiver', 'wait_at_barrier', 'wait_at_nxn',
      'wait_at_fence', 'late_broadcast', 'early_reduce', 'early_scan', 'late_post', 'late_complete', 'wait_for_lock')
UNION ALL
SELECT kind, CASE WHEN kind IN ('late_cause') THEN 2 ELSE 3 END, NULL, rank, other_rank, processes, communicator,
       communicator_uid, object_kind, NULL, number, NULL, NULL, function, cause_function, NULL, cause_site, NULL, NULL,
       from_function, from_site, NULL, NULL, NULL, NULL, subject, cause, node, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       calls, NULL, median_calls, NULL, NULL, NULL, cores, faults, NULL, NULL, NULL, NULL, bytes, seconds, mean_seconds,
       median_seconds, core_seconds, delay_seconds, off_seconds, kernel_seconds, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM late_causes WHERE kind IN ('late_cause', 'late_alone', 'late_unexplained')
UNION ALL
SELECT kind, 3, NULL, NULL, NULL, processes, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, cause_function, NULL,
       cause_site, NULL, NULL, from_function, from_site, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, calls, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, seconds,
       mean_seconds, median_seconds, NULL, NULL, NULL, NULL, NULL, NULL, NULL, percent, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL
FROM varying_findings WHERE kind IN ('varying_code')
UNION ALL
SELECT kind, 2, NULL, NULL, NULL, processes, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, subject, cause, node, package, core, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, nodes, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, percent, NULL, NULL, NULL, NULL, NULL, NULL, NULL, clock_ghz, median_ghz, NULL
FROM slow_findings WHERE kind IN ('slow_place')
UNION ALL
SELECT kind, 3, NULL, rank, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, seconds, NULL, median_seconds, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, percent, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM gain_findings WHERE kind IN ('gain')
UNION ALL
SELECT kind, CASE WHEN kind IN ('not_recorded', 'paused') THEN 3 ELSE 1 END, ranks, NULL, NULL, NULL, communicator,
       communicator_uid, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, pairs, NULL, NULL,
       NULL, NULL, NULL, NULL, messages, bytes, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM traffic_findings WHERE kind IN ('not_received', 'not_sent', 'truncated', 'not_recorded', 'paused')
UNION ALL
SELECT kind, 2, ranks, NULL, NULL, NULL, communicator, communicator_uid, NULL, NULL, NULL, NULL, NULL, NULL, NULL, site,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, tag, last_tag, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, messages, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM tag_findings WHERE kind IN ('tag_too_large', 'tag_not_received', 'tag_not_sent')
UNION ALL
SELECT kind, CASE WHEN kind IN ('attribute_refused') THEN 2 WHEN kind IN ('attribute_differs', 'tag_ub_too_small') THEN
       1 ELSE 3 END, ranks, NULL, NULL, NULL, NULL, NULL, object_kind, NULL, NULL, NULL, objects, NULL, NULL, site,
       NULL, NULL, NULL, NULL, NULL, key_site, attribute, answer, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, calls, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM attribute_findings WHERE kind IN ('attribute_differs', 'tag_ub_too_small', 'attribute_refused',
      'attribute_not_set', 'attribute_never_asked')
UNION ALL
SELECT kind, CASE WHEN kind IN ('bound_badly', 'moved') THEN 3 ELSE 2 END, ranks, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, nodes, NULL, NULL, moves, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       load, NULL, NULL, cpu_quota
FROM placement_findings WHERE kind IN ('oversubscribed', 'cpu_quota', 'memory_elsewhere', 'bound_badly', 'moved');
