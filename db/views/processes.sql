-- Views: the ranks: how they ended and where they ran.

CREATE VIEW processes ( -- one row per rank, in words
    rank, -- in MPI_COMM_WORLD
    node, -- machine
    pid, -- process id
    program, -- path
    outcome, -- finalized, aborted, exited, died, running
    last_call, -- in which it was when it ended otherwise than by MPI_Finalize
    last_communicator, -- communicator, window or file of that call
    last_peer, -- rank that the call named
    last_tag, -- tag that the call named
    calls, -- of MPI functions
    seconds, -- from the first call of MPI to the end, or to the last instant known
    mpi_seconds, -- inside MPI, all threads together
    mpi_percent, -- of seconds; several threads may together make more than 100
    lost, -- what could not be recorded
    damaged -- 1: the journal was cut off or damaged
) AS
SELECT p.rank, p.node, p.pid, p.program, p.outcome, f.name, coalesce(o.name, o.kind || ' ' || o.object), p.last_peer, p.last_tag, p.calls,
       (p.seen_ns - p.began_ns) / 1e9, p.mpi_ns / 1e9, p.mpi_ns * 100.0 / nullif(p.seen_ns - p.began_ns, 0), p.lost, p.damaged
FROM process p LEFT JOIN function f ON f.function = p.last_function
     LEFT JOIN object o ON o.rank = p.rank AND o.object = p.last_object;

CREATE VIEW placements ( -- one row per rank: where it ran, and how often it moved
    rank, -- of the process
    node, -- machine
    processor_name, -- as MPI_Get_processor_name says
    start_cpu, -- at the start
    end_cpu, -- at the last look
    allowed_cpus, -- at the start
    moves, -- how often it was seen to have moved
    cpus -- all processors it was seen on
) AS
SELECT p.rank, p.node, n.processor_name, f.cpu, l.cpu, f.allowed_cpus, coalesce(m.moves, 0), c.cpus
FROM process p
     LEFT JOIN (SELECT rank, cpu, allowed_cpus, min(at_ns) FROM placement GROUP BY rank) f ON f.rank = p.rank
     LEFT JOIN (SELECT rank, cpu, max(at_ns) FROM placement GROUP BY rank) l ON l.rank = p.rank
     LEFT JOIN (SELECT rank, processor_name, max(at_ns) FROM placement WHERE processor_name IS NOT NULL GROUP BY rank) n
               ON n.rank = p.rank
     LEFT JOIN (SELECT rank, sum(reason = 'moved') AS moves FROM placement GROUP BY rank) m ON m.rank = p.rank
     LEFT JOIN (SELECT rank, group_concat(cpu) AS cpus FROM (SELECT DISTINCT rank, cpu FROM placement WHERE cpu IS NOT NULL
                                                             ORDER BY rank, cpu) GROUP BY rank) c ON c.rank = p.rank;
