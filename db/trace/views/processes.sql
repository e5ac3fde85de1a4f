-- Views: the ranks: how they ended, and the activity of their threads.

-- kept: overview
CREATE VIEW processes ( -- one row per rank, with names for numbers
    rank, -- in MPI_COMM_WORLD
    node, -- machine
    pid, -- process id
    program, -- path
    outcome, -- finalized, aborted, exited, died, running
    last_call, -- call at the end, without MPI_Finalize; of several threads the first: see
        -- threads
    last_communicator, -- communicator, window or file of that call
    last_peer, -- peer of the call, or MPI_ANY_SOURCE, MPI_PROC_NULL, MPI_ROOT
    last_tag, -- tag of the call, or MPI_ANY_TAG
    last_bytes, -- bytes to send, or size of the receive buffer
    last_location, -- call site: function, file and line
    last_seconds, -- time in that call, as far as known
    completed_call, -- outside MPI at the end: the last call that returned
    completed_communicator, -- communicator, window or file of that call
    completed_location, -- call site: function, file and line
    last_seen_ns, -- last instant that the recording knows. A rank that died outside MPI died by its own action; one
        -- that waits in a call was last seen when that began
    found_dead_ns, -- when it was found dead: it died between last_seen_ns and this
    calls, -- calls of MPI functions
    seconds, -- from the first MPI call to the end, or to the last instant known
    threads, -- threads that called MPI
    thread_seconds, -- lifetimes of these threads added up, each from its first MPI call to its end; with a single
        -- thread: seconds
    mpi_seconds, -- time inside MPI, all threads together; calls that did not return count until the last instant known
    mpi_percent, -- mpi_seconds as share of thread_seconds
    lifecycle_seconds, -- part of mpi_seconds in the class lifecycle: MPI_Init, MPI_Finalize and similar
    lifecycle_percent, -- lifecycle_seconds as share of thread_seconds
    other_percent, -- share of all other MPI functions in thread_seconds: mpi_percent without lifecycle_percent
    lost, -- calls and facts that could not be recorded
    damaged -- 1: the journal was cut off or damaged
) AS
WITH spent (rank, lived_ns, lifecycle_ns) AS (
         SELECT p.rank,
                CASE WHEN p.threads > 1 THEN coalesce((SELECT sum(t.lived_ns) FROM thread t WHERE t.rank = p.rank),
                                                      (p.last_seen_ns - p.began_ns) * (SELECT count(*) FROM thread t
                                                                                       WHERE t.rank = p.rank))
                     ELSE p.last_seen_ns - p.began_ns END,
                coalesce(c.time_ns, 0.0)
         FROM process p
              LEFT JOIN (SELECT rank, total(time_ns) AS time_ns FROM object_times WHERE lifecycle GROUP BY rank) c
                        ON c.rank = p.rank)
SELECT p.rank, p.node, p.pid, p.program, p.outcome, f.name, coalesce(o.name, o.kind || ' ' || o.object),
       CASE p.last_peer WHEN -1 THEN 'MPI_ANY_SOURCE' WHEN -2 THEN 'MPI_PROC_NULL' WHEN -3 THEN 'MPI_ROOT'
            ELSE p.last_peer END,
       CASE p.last_tag WHEN -1 THEN 'MPI_ANY_TAG' ELSE p.last_tag END, p.last_bytes, s.location,
       (p.last_seen_ns - p.last_since_ns) / 1e9, c.call, c.object_name, c.location, p.last_seen_ns, p.found_dead_ns,
       p.calls, (p.last_seen_ns - p.began_ns) / 1e9, p.threads, s.lived_ns / 1e9, p.mpi_ns / 1e9,
       p.mpi_ns * 100.0 / nullif(s.lived_ns, 0), s.lifecycle_ns / 1e9, s.lifecycle_ns * 100.0 / nullif(s.lived_ns, 0),
       max(p.mpi_ns - s.lifecycle_ns, 0) * 100.0 / nullif(s.lived_ns, 0), p.lost, p.damaged
FROM process p JOIN spent s ON s.rank = p.rank LEFT JOIN function f ON f.function = p.last_function
     LEFT JOIN object o ON o.rank = p.rank AND o.object = p.last_object LEFT JOIN sites s ON s.site = p.last_site
     LEFT JOIN (SELECT rank, call, object_name, location, max(until_ns) FROM threads WHERE state <> 'inside'
                GROUP BY rank) c
               ON c.rank = p.rank AND p.last_function IS NULL AND p.outcome <> 'finalized';

CREATE VIEW complete_processes ( -- processes that made all their calls: they finalized, or ended in MPI_Finalize. MPICH
        -- ends a process there if a message for it was never received
    rank -- in MPI_COMM_WORLD
) AS
SELECT p.rank FROM process p LEFT JOIN function f ON f.function = p.last_function
WHERE p.outcome = 'finalized' OR f.name = 'MPI_Finalize';

CREATE VIEW batch_job ( -- one row: the job of the batch system in which the lowest rank ran; no row: it
        -- ran in none
    system, -- Flux, Slurm, PBS or LSF; the inner one, if one runs in another
    id, -- id of the job; for a job array of Slurm ARRAY_TASK
    name, -- name of the job
    queue, -- queue or partition
    nodes -- as the batch system writes them; cut if long
) AS
WITH known (priority, system, id, name, queue, nodes) AS (
         VALUES (1, 'Flux', 'FLUX_JOB_ID', NULL, NULL, NULL),
                (2, 'Slurm', 'SLURM_JOB_ID', 'SLURM_JOB_NAME', 'SLURM_JOB_PARTITION', 'SLURM_JOB_NODELIST'),
                (3, 'PBS', 'PBS_JOBID', 'PBS_JOBNAME', 'PBS_QUEUE', NULL),
                (4, 'LSF', 'LSB_JOBID', 'LSB_JOBNAME', 'LSB_QUEUE', 'LSB_MCPU_HOSTS')),
     variable (name, value) AS (SELECT substr(key, length('environment.') + 1), CAST(value AS TEXT) FROM meta
                                WHERE rank = (SELECT min(rank) FROM process) AND key GLOB 'environment.*')
SELECT k.system,
       CASE WHEN k.system = 'Slurm'
            THEN coalesce((SELECT value FROM variable WHERE name = 'SLURM_ARRAY_JOB_ID') || '_'
                          || (SELECT value FROM variable WHERE name = 'SLURM_ARRAY_TASK_ID'), i.value)
            ELSE i.value END,
       (SELECT value FROM variable WHERE name = k.name), (SELECT value FROM variable WHERE name = k.queue),
       (SELECT value FROM variable WHERE name = k.nodes)
FROM known k JOIN variable i ON i.name = k.id
ORDER BY k.priority LIMIT 1;

CREATE VIEW doubtful_processes ( -- processes whose calls are not all known: counts of others may differ from theirs
    rank, -- in MPI_COMM_WORLD
    reason -- not recorded: the trace lacks something; paused: only the program's pauses (MPI_Pcontrol)
) AS
SELECT rank, min(reason)
FROM (SELECT rank, 'paused' AS reason FROM pcontrol WHERE level = 0
      UNION ALL SELECT rank, 'not recorded' FROM process WHERE lost > 0 OR damaged
      UNION ALL SELECT rank, 'not recorded' FROM bypassing_processes) GROUP BY rank;

CREATE VIEW bypassing_processes ( -- processes that called MPI past callsign: their calls are not all known
    rank, -- in MPI_COMM_WORLD
    libraries, -- the executable and libraries whose calls they are: "/opt/a.so:/opt/b.so"
    functions -- functions by their PMPI_ names: "PMPI_Send:PMPI_Barrier"; NULL: those that the libraries call
) AS
-- Only a process that came to its end knows whether it did so. Others could have.
SELECT m.rank, m.value, f.value
FROM meta m JOIN process p ON p.rank = m.rank LEFT JOIN meta f ON f.rank = m.rank AND f.key = m.key || '.functions'
WHERE m.key = 'not_recorded' OR m.key = 'may_bypass' AND p.outcome <> 'finalized';

CREATE VIEW bypassed_objects ( -- communicators, windows and files of which a member called MPI past callsign: nothing
        -- is claimed about their collective calls and messages, because numbers of calls may not mean the same call
    id -- as in run_communicators
) AS
SELECT DISTINCT o.uid FROM bypassing_processes b JOIN object o ON o.rank = b.rank AND o.uid IS NOT NULL
WHERE o.kind IN ('communicator', 'window', 'file');

CREATE VIEW job ( -- one row: how the command that `callsign run` started ended; none if the ranks were started in
        -- another way
    command, -- its words, separated by spaces; cut at the end if long
    program, -- name of the file that was started
    seconds, -- it ran
    exit_code, -- exit code; NULL: a signal ended it
    signal, -- signal that ended it
    as_after, -- signal after which launchers and shells end with this exit code
    received, -- first signal that `callsign run` received and that usually ends programs
    received_seconds, -- time of that signal after the start
    of_ranks, -- 1: it is a launcher, or the only rank, so that it ran as long as the ranks; 0: a script, or
        -- anything else
    killed -- 1: that signal, or the end of the launcher by a signal, ended ranks before MPI_Finalize
) AS
WITH fact (command, ran_ns, exit_code, signal, as_after, received, received_ns, pid) AS (
         SELECT max(CASE key WHEN 'job.command' THEN CAST(value AS TEXT) END),
                max(CASE key WHEN 'job.ran_ns' THEN CAST(value AS INT) END),
                max(CASE key WHEN 'job.exit_code' THEN CAST(value AS INT) END),
                max(CASE key WHEN 'job.signal' THEN CAST(value AS TEXT) END),
                max(CASE key WHEN 'job.as_after' THEN CAST(value AS TEXT) END),
                max(CASE key WHEN 'job.received' THEN CAST(value AS TEXT) END),
                max(CASE key WHEN 'job.received_ns' THEN CAST(value AS INT) END),
                max(CASE key WHEN 'job.pid' THEN CAST(value AS INT) END)
         FROM meta WHERE key GLOB 'job.*' HAVING count(*) > 0),
     ranks (count, pid, unfinished) AS (SELECT count(*), max(pid), total(outcome <> 'finalized') FROM process),
     named (name, itself) AS (
         SELECT replace(word, rtrim(word, replace(word, '/', '')), ''), count = 1 AND ranks.pid = fact.pid
         FROM (SELECT substr(command, 1, instr(command || ' ', ' ') - 1) AS word FROM fact), fact, ranks)
SELECT command, name, ran_ns / 1e9, nullif(exit_code, -1), signal, as_after, received,
       CASE WHEN received IS NOT NULL THEN received_ns / 1e9 END, itself OR name GLOB 'mpirun*' OR name GLOB 'mpiexec*'
       OR name IN ('orterun', 'prterun', 'prun', 'srun', 'aprun', 'jsrun', 'flux', 'palsrun'), unfinished > 0
       AND (received IS NOT NULL OR (signal IS NOT NULL AND NOT itself))
FROM fact, ranks, named;

CREATE VIEW latest_ends ( -- until when each rank that did not finalize lived at most
    rank, -- rank of the process
    latest_ns -- it was found dead then, or the job had ended, whatever came first; a running rank, and one of which
        -- neither is known: the last instant that any trace knows
) AS
WITH known (seen_ns, ended_utc_ns) AS (
         SELECT (SELECT max(last_seen_ns) FROM process),
                (SELECT max(CAST(value AS INT)) FROM meta WHERE key = 'job.ended_utc_ns')),
     bound (rank, seen_ns, dead_ns, job_ns, known_ns) AS (
         SELECT p.rank, p.last_seen_ns, CASE p.outcome WHEN 'died' THEN p.found_dead_ns END,
                CASE p.outcome WHEN 'running' THEN NULL ELSE k.ended_utc_ns - p.zero_utc_ns END, k.seen_ns
         FROM process p, known k WHERE p.outcome <> 'finalized')
SELECT rank, max(seen_ns, coalesce(min(dead_ns, job_ns), dead_ns, job_ns, known_ns)) FROM bound;

CREATE VIEW threads ( -- last call of each thread that called MPI. A new thread takes over the row of a thread that
        -- ended
    rank, -- rank of the process
    thread, -- number of the row within the rank, from 0
    tid, -- the thread's number in the kernel
    threads, -- threads that used this row, one after the other
    state, -- inside: in this call (or left it by longjmp); outside: the call returned; ended: the thread
        -- has ended
    call, -- current call, or else the last one that returned
    object_name, -- communicator, window or file of that call
    peer, -- peer of the call, or MPI_ANY_SOURCE, MPI_PROC_NULL, MPI_ROOT; in a wait: of the first pending
        -- request
    tag, -- tag of the call, or MPI_ANY_TAG; in a wait: of the first pending request
    bytes, -- bytes to send, or size of the receive buffer; in a wait: of the first pending request
    location, -- call site: function, file and line
    since_ns, -- when it began
    until_ns, -- return of the last call that returned: this one, unless inside
    seconds, -- time in the call so far
    calls, -- calls of MPI functions
    mpi_seconds, -- in them
    lived_seconds, -- lifetimes of these threads added up, each from its first MPI call to its end; NULL: not recorded
    mpi_percent -- share of mpi_seconds in lived_seconds, or else in the process's time
) AS
SELECT t.rank, t.thread, t.tid, t.threads, t.state, f.name, coalesce(o.name, o.kind || ' ' || o.object),
       CASE t.peer WHEN -1 THEN 'MPI_ANY_SOURCE' WHEN -2 THEN 'MPI_PROC_NULL' WHEN -3 THEN 'MPI_ROOT' ELSE t.peer END,
       CASE t.tag WHEN -1 THEN 'MPI_ANY_TAG' ELSE t.tag END, t.bytes, s.location, t.since_ns, t.until_ns,
       (CASE t.state WHEN 'inside' THEN p.last_seen_ns ELSE t.until_ns END - t.since_ns) / 1e9, t.calls, t.mpi_ns / 1e9,
       t.lived_ns / 1e9, t.mpi_ns * 100.0 / nullif(coalesce(t.lived_ns, p.last_seen_ns - p.began_ns), 0)
FROM thread t LEFT JOIN process p ON p.rank = t.rank LEFT JOIN function f ON f.function = t.function
     LEFT JOIN object o ON o.rank = t.rank AND o.object = t.object LEFT JOIN sites s ON s.site = t.site;
