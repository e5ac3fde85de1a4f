"""Small runs to ask questions about: traces made of the tables of gen/model, journals made byte by byte after journal/format.h."""
import os
import pathlib
import sqlite3
import sys
import zlib

TREE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TREE / "tests/support"), str(TREE), str(TREE / "debugger")]
import function_table  # noqa: E402  (the path must be set first)
import place  # noqa: E402
from callsign_debugger import layout  # noqa: E402
from callsign_debugger.words import KIND_NUMBER, number_of  # noqa: E402
from gen import model, model_tables  # noqa: E402
sys.path.append(str(TREE / "db/trace"))
import embed  # noqa: E402

MERGED = model_tables.schema(model.read_folder()) + "".join(embed.view_texts().values())
PAGE = 1024  # bytes, as in the file of a rank


def rank_schema():
    """The tables of a rank's file."""
    settings, tables = embed.tables_of(model_tables.schema(model.read_folder()))
    return settings + "".join(bare + ";" for _, _, bare in tables)


SCHEMA = rank_schema()

# The table of reports: name -> what its entry says.
REPORTS = {entry.split('"')[0]: entry for entry in (TREE / "cli/report/reports.c").read_text(encoding="utf-8").split('.name = "')[1:]}

ZERO_UTC_NS = 1_790_000_000_000_000_000
SECOND = 1_000_000_000

# Numbers as in gen/spec, which never change.
INIT, SEND, RECV, ALLREDUCE, SPLIT, FREE, VECTOR = 22000, 1000, 1016, 4024, 10020, 10024, 13002
FUNCTIONS = {INIT: ("MPI_Init", "lifecycle"), SEND: ("MPI_Send", "point-to-point"), RECV: ("MPI_Recv", "point-to-point"),
             ALLREDUCE: ("MPI_Allreduce", "collective"), SPLIT: ("MPI_Comm_split", "communicator"),
             FREE: ("MPI_Comm_free", "communicator"), VECTOR: ("MPI_Type_vector", "datatype")}

SITE = 0x5ca1ab1e
FRAMES = [(11, "/opt/app/bin/solver", "ab12", 0x1234), (12, "/opt/app/lib/libgrid.so.2", "cd34", 0x5678)]


CASES = TREE / "tests/sql"


def make_case(path, case, *more):
    """The trace of a case of tests/sql, changed by more SQL."""
    with sqlite3.connect(path) as db:
        db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + SCHEMA + (CASES / case / "trace.sql").read_text(encoding="utf-8"))
        for sql in more:
            db.executescript(sql)
        function_table.complete(db)
    db.close()
    return path


def insert(db, table, **values):
    columns = ", ".join(f'"{name}"' for name in values)
    marks = ", ".join("?" * len(values))
    db.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", list(values.values()))


def module_number(db, path, build_id):
    """The number of an executable or library, which gets a row."""
    number = zlib.crc32(f"{path}\0{build_id}".encode()) if path else None
    if path:
        db.execute("INSERT OR IGNORE INTO module (module, path, build_id) VALUES (?, ?, ?)", [number, str(path), build_id])
    return number


def move_frame(db, frame, path, build_id, offset):
    """Puts a frame into another executable or library."""
    db.execute("UPDATE frame SET module = ?, offset = ? WHERE frame = ?", [module_number(db, path, build_id), offset, frame])


def make_trace(path, rank=0, world_size=4, outcome="finalized", clock_ns=0, name="rows", node="node1", extra=None,
               schema=SCHEMA):
    """One rank's trace. clock_ns: by how much this rank's MPI_Init returned later than rank 0's."""
    db = sqlite3.connect(path)
    db.executescript(f"PRAGMA page_size = {PAGE}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + schema)  # nothing here outlives the test
    died = outcome != "finalized"
    insert(db, "process", rank=rank, world_size=world_size, node=node, pid=4000 + rank, program="/opt/app/bin/solver",
           arguments="-n 10", thread_level="MPI_THREAD_SINGLE", started_utc="2026-09-21T14:13:20Z",
           zero_utc_ns=ZERO_UTC_NS + clock_ns, clock_offset_ns=0,
           began_ns=0, init_ns=0, finalize_ns=None if died else 10 * SECOND, last_seen_ns=10 * SECOND, outcome=outcome,
           last_function=RECV if died else None, last_object=3 if died else None, last_peer=1 if died else None,
           last_tag=7 if died else None,
           last_since_ns=9 * SECOND if died else None, threads=1, calls=1111, mpi_ns=4 * SECOND, lost=0, damaged=0, run_hash=77)
    if died:
        insert(db, "thread", rank=rank, thread=0, tid=4000 + rank, threads=1, state="inside", function=RECV, object=3, peer=1, tag=7,
               bytes=2048, site=SITE + 11, since_ns=9 * SECOND, until_ns=9 * SECOND - 5, calls=1111, mpi_ns=4 * SECOND)
    insert(db, "meta", rank=rank, key="mpi", value="Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4")
    insert(db, "meta", rank=rank, key="callsign", value="0.1.0")
    for number, (function, kind) in FUNCTIONS.items():
        insert(db, "function", function=number, name=function, **{"class": kind})
    for frame, module, build_id, offset in FRAMES:
        insert(db, "frame", frame=frame, module=module_number(db, module, build_id), offset=offset)
        insert(db, "site", site=SITE + frame, frame=frame)
    fill_objects(db, rank, world_size, name)
    fill_profile(db, rank)
    for at, cpu, reason in ((0, rank, "start"), (10 * SECOND, rank + 1, "end")):
        insert(db, "placement", rank=rank, at_ns=at, thread=0, reason=reason, processor_name=node, cpu=cpu, allowed_cpus="0-7")
    if extra:
        extra(db)
    function_table.complete(db)
    db.commit()
    db.close()


def fill_objects(db, rank, size, name):
    plain = {"internal": 0, "predefined": 0, "adopted": 0}
    insert(db, "object", rank=rank, object=1, kind="communicator", name="MPI_COMM_WORLD", name_origin="mpi", created_ns=0,
           **{**plain, "predefined": 1})
    insert(db, "object", rank=rank, object=2, kind="communicator", name="MPI_COMM_SELF", name_origin="mpi", created_ns=0,
           **{**plain, "predefined": 1})
    insert(db, "object", rank=rank, object=3, kind="communicator", name=name, name_origin="program", parent=1, function=SPLIT,
           site=SITE + 11, created_ns=SECOND, freed_function=FREE, freed_site=SITE + 11, freed_ns=9 * SECOND,
           detail='{"color":1,"key":0}', **plain)
    insert(db, "object", rank=rank, object=4, kind="communicator", parent=1, function=SPLIT, site=SITE + 12,
           created_ns=2 * SECOND, detail='{"color":2,"key":0,"info":{"hint":"yes"}}', **plain)
    insert(db, "object", rank=rank, object=5, kind="datatype", name="column", name_origin="program", function=VECTOR,
           site=SITE + 12, created_ns=3 * SECOND, detail='{"count":4,"blocklength":1,"stride":4}', **plain)
    for number, members in ((1, size), (2, 1), (3, 2), (4, size)):
        insert(db, "communicator", rank=rank, object=number, size=members, own_rank=0, topology="none")
    insert(db, "naming", rank=rank, object=3, at_ns=SECOND, name=name, origin="program", site=SITE + 11)


def fill_profile(db, rank):
    cells = [(1, ALLREDUCE, SITE + 11, 4, 1000, 2 * SECOND, 8000, 8000), (3, RECV, SITE + 11, 11, 100, SECOND, 0, 204800),
             (3, SEND, SITE + 11, 11, 100, SECOND // 2, 204800, 0),
             (4, ALLREDUCE, SITE + 12, 4, 10, SECOND // 2 - 1000, 80, 80), (0, INIT, 0, 0, 1, 1000, 0, 0)]
    for communicator, function, site, size_class, calls, time_ns, sent, received in cells:
        insert(db, "profile", rank=rank, communicator=communicator, object=0, function=function, site=site, size_class=size_class,
               calls=calls, time_ns=time_ns, min_ns=time_ns // calls, max_ns=time_ns // calls, sent_bytes=sent, received_bytes=received)


made = {}  # the files of runs, by ranks and options: many tests ask the same run


def make_run(folder, ranks=4, **options):
    """A run of four ranks, by default; rank r returned r milliseconds later from MPI_Init. Returns its path."""
    run = pathlib.Path(folder) / "solver.k3f9a2xq.callsign"
    run.mkdir()
    key = (ranks, *sorted(options.items()))
    for name, content in made.get(key, {}).items():
        (run / name).write_bytes(content)
    if key in made:
        return run
    for rank in range(ranks):
        make_trace(run / f"rank-{rank:05d}.db", rank, ranks, clock_ns=rank * 1_000_000, **options)
    if "extra" not in options:  # a function may write something else the next time
        made[key] = {path.name: path.read_bytes() for path in run.iterdir()}
    return run


# ---- journals ----

NOBODY = 2**22 + 1  # beyond every process id of Linux


def fact(shape, ticks, *texts, **fields):
    content = b"".join(text.encode() + b"\0" for text in texts)
    size = -(-(shape.bytes + len(content)) // 8) * 8
    return (shape.pack(fact_type=shape.number, fact_bytes=size, fact_ticks=ticks, **fields) + content).ljust(size, b"\0")


def block(kind, content, item_bytes=0):
    """The log, or a block of cells, all of them in use."""
    size = -(-(layout.BLOCK.bytes + len(content)) // layout.JOURNAL_PAGE) * layout.JOURNAL_PAGE
    head = layout.BLOCK.pack(magic=layout.BLOCK_MAGIC, type=kind, bytes=size, used=len(content) // (item_bytes or 1), item_bytes=item_bytes)
    return (head + content).ljust(size, b"\0")


def cell(shape, **fields):
    return block(shape.number, shape.pack(**fields), shape.bytes)


def make_journal(path, rank=0, size=4, outcome="running", pid=NOBODY, process_start=0, node=os.uname().nodename, function=RECV,
                 boot=place.boot(), pid_namespace=place.pid_namespace(), locked=0, more=b""):
    """A journal on a nanosecond clock: begun at second 1, MPI_Init returned at second 2 (rank 0's instant 0), last heard
    of at second 6."""
    log = b"".join(fact(layout.FACT_META, SECOND, key, value) for key, value in
                   (("node", node), ("program", "/opt/app/bin/solver"), ("started_utc", "2026-09-21T14:13:20Z")))
    log += fact(layout.FACT_OBJECT, 2 * SECOND, "", object=1, kind=KIND_NUMBER["communicator"], flags=layout.OBJECT_PREDEFINED, handle=0x44000000,
                fortran_handle=-2**63)
    log += fact(layout.FACT_NAME, 2 * SECOND, "MPI_COMM_WORLD", object=1, origin=layout.MPI)
    state = cell(layout.THREAD_STATE, tid=pid, function=function or SEND,
                 doing=number_of(layout.THREAD_DOING_WORDS, "inside" if function else "outside"), object=1, peer=1, tag=7, bytes=layout.NO_BYTES,
                 site=0x1234, since_ticks=5 * SECOND, until_ticks=4 * SECOND, mpi_ticks=2 * SECOND, calls=100, threads=1, began_ticks=SECOND)
    profile = cell(layout.PROFILE_CELL, site=0x1234, object=1, function=RECV, size_class=4, calls=100, ticks=2 * SECOND, min_ticks=SECOND // 100,
                   max_ticks=SECOND // 10, sent_bytes=800)
    blocks = block(layout.BLOCK_LOG, log) + state + profile + more
    header = layout.JOURNAL_HEADER.pack(
        magic=layout.JOURNAL_MAGIC, version=layout.JOURNAL_VERSION, byte_order=layout.JOURNAL_BYTE_ORDER, header_bytes=layout.JOURNAL_HEADER.bytes,
        outcome=number_of(layout.OUTCOME_WORDS, outcome), rank=rank, size=size, pid=pid, clock_kind=layout.CLOCK_MONOTONIC,
        process_start=process_start, ticks_per_second=SECOND, first_ticks=SECOND, first_monotonic_ns=SECOND,
        first_realtime_ns=ZERO_UTC_NS - SECOND, last_ticks=6 * SECOND, last_monotonic_ns=6 * SECOND, last_realtime_ns=ZERO_UTC_NS + 4 * SECOND,
        init_ticks=2 * SECOND, used_bytes=layout.JOURNAL_PAGE + len(blocks), run_hash=77, items=4, boot=boot, pid_namespace=pid_namespace,
        locked=locked)
    pathlib.Path(path).write_bytes(header.ljust(layout.JOURNAL_PAGE, b"\0") + blocks)


def make_living_journal(path, process, **options):
    """The journal of a process that runs."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    make_journal(path, pid=process.pid, process_start=int(fields[22 - 3]), **options)
