CREATE TABLE run (
    run INTEGER PRIMARY KEY, side TEXT, -- base, new
    path TEXT, programs TEXT, mpi TEXT, ranks INT, -- that are recorded
    unfinished INT, -- ranks that did not end by MPI_Finalize
    incomplete INT, -- 1: ranks are missing
    lost INT, -- facts and calls that could not be recorded
    began_utc_ns INT); -- of the first process; a clock of its node
CREATE TABLE figure ( -- the columns of compare_figures.sql
    run INT, scope TEXT, level INT, metric TEXT, kind TEXT, communicator TEXT, pattern TEXT, created_in TEXT, function TEXT,
    caller TEXT, polls INT, total, per_rank);
CREATE TABLE rule (
    rule INTEGER PRIMARY KEY, text TEXT, metric TEXT, name TEXT, -- NULL: the whole run
    threshold REAL, relative INT, -- 1: in percent of BASE
    known INT); -- 1: the name is that of an MPI function or of a kind of object
PRAGMA case_sensitive_like = 1;
