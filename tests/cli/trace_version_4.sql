-- The tables of trace version 4 as they were, without their comments, and one of its views.
PRAGMA application_id = 0x43414c4c;
PRAGMA user_version = 4;
CREATE TABLE meta (rank INT NOT NULL, key TEXT NOT NULL, value ANY, PRIMARY KEY (rank, key)) WITHOUT ROWID;
CREATE TABLE process (rank INTEGER PRIMARY KEY, world_size INT, node TEXT, pid INT, program TEXT, arguments TEXT, thread_level TEXT,
started_utc TEXT, zero_utc_ns INT, clock_offset_ns INT NOT NULL, began_ns INT, init_ns INT, finalize_ns INT, seal_ns INT, last_seen_ns INT,
found_dead_ns INT, outcome TEXT NOT NULL, last_function INT, last_object INT, last_peer INT, last_tag INT, last_bytes INT, last_site INT,
last_since_ns INT, threads INT NOT NULL, calls INT NOT NULL, mpi_ns INT NOT NULL, lost INT NOT NULL, damaged INT NOT NULL, run_hash INT);
CREATE TABLE thread (rank INT NOT NULL, thread INT NOT NULL, tid INT, threads INT NOT NULL, state TEXT NOT NULL, function INT, object INT,
peer INT, tag INT, bytes INT, site INT, since_ns INT, until_ns INT, calls INT NOT NULL, mpi_ns INT NOT NULL, PRIMARY KEY (rank, thread))
WITHOUT ROWID;
CREATE TABLE function (function INTEGER PRIMARY KEY, name TEXT NOT NULL, class TEXT);
CREATE TABLE frame (frame INTEGER PRIMARY KEY, module TEXT, build_id TEXT, offset INT NOT NULL, function TEXT, file TEXT, line INT,
function_signature TEXT);
CREATE TABLE site (site INTEGER PRIMARY KEY, caller INT, frame INT NOT NULL);
CREATE TABLE object (rank INT NOT NULL, object INT NOT NULL, kind TEXT NOT NULL, handle INT, fortran_handle INT, name TEXT, name_origin
TEXT, uid INT, family INT, parent INT, function INT, site INT, created_ns INT, internal INT NOT NULL, predefined INT NOT NULL, adopted INT
NOT NULL, freed_function INT, freed_site INT, freed_ns INT, detail TEXT, PRIMARY KEY (rank, object)) WITHOUT ROWID;
CREATE TABLE naming (rank INT NOT NULL, object INT NOT NULL, at_ns INT, name TEXT, origin TEXT, rule INT, site INT);
CREATE TABLE rule (rank INT NOT NULL, rule INT NOT NULL, text TEXT, PRIMARY KEY (rank, rule)) WITHOUT ROWID;
CREATE TABLE communicator (rank INT NOT NULL, object INT NOT NULL, size INT, own_rank INT, remote_size INT, members TEXT, topology TEXT,
ready_ns INT, PRIMARY KEY (rank, object)) WITHOUT ROWID;
CREATE TABLE datatype (rank INT NOT NULL, object INT NOT NULL, combiner TEXT, size_bytes INT, lower_bound_bytes INT, extent_bytes INT,
commits INT NOT NULL, PRIMARY KEY (rank, object)) WITHOUT ROWID;
CREATE TABLE window (rank INT NOT NULL, object INT NOT NULL, communicator INT, flavor TEXT, model TEXT, base INT, size_bytes INT,
displacement_unit_bytes INT, PRIMARY KEY (rank, object)) WITHOUT ROWID;
CREATE TABLE keyval (rank INT NOT NULL, kind TEXT NOT NULL, keyval INT NOT NULL, name TEXT, function INT, site INT, created_ns INT, created
INT NOT NULL, PRIMARY KEY (rank, kind, keyval)) WITHOUT ROWID;
CREATE TABLE attribute (rank INT NOT NULL, object INT NOT NULL, keyval INT NOT NULL, operation TEXT NOT NULL, found INT NOT NULL,
value_kind TEXT NOT NULL, value INT NOT NULL, site INT NOT NULL, calls INT NOT NULL, first_ns INT, last_ns INT, PRIMARY KEY (rank, object,
keyval, operation, found, value_kind, value, site)) WITHOUT ROWID;
CREATE TABLE placement (rank INT NOT NULL, at_ns INT, thread INT, reason TEXT, processor_name TEXT, cpu INT, allowed_cpus TEXT);
CREATE TABLE pcontrol (rank INT NOT NULL, at_ns INT, level INT);
CREATE TABLE profile (rank INT NOT NULL, communicator INT NOT NULL, object INT NOT NULL, function INT NOT NULL, site INT NOT NULL,
size_class INT NOT NULL, calls INT NOT NULL, time_ns INT NOT NULL, min_ns INT, max_ns INT, sent_bytes INT NOT NULL, received_bytes INT NOT
NULL, PRIMARY KEY (rank, communicator, object, function, site, size_class)) WITHOUT ROWID;
CREATE VIEW placements (rank, moves) AS SELECT rank, sum(reason = 'moved') FROM placement GROUP BY rank;
