"""Small runs to ask questions about: traces made of the tables of gen/model, journals made byte by byte after db/journal/format.h."""
import os
import pathlib
import sqlite3
import struct
import sys

TREE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TREE / "tests/support"), str(TREE)]
import function_table  # noqa: E402  (the path must be set first)
import place  # noqa: E402
from gen import model, model_tables  # noqa: E402

SCHEMA = model_tables.schema(model.read_folder())
VIEWS = "".join(path.read_text(encoding="utf-8") for path in sorted((TREE / "db/trace/views").glob("*.sql")))

# The table of reports: name -> what its entry says.
REPORTS = {entry.split('"')[0]: entry for entry in (TREE / "cli/reports.c").read_text(encoding="utf-8").split('.name = "')[1:]}

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
        db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + SCHEMA + VIEWS + (CASES / case / "trace.sql").read_text(encoding="utf-8"))
        for sql in more:
            db.executescript(sql)
        function_table.complete(db)
    db.close()
    return path


def insert(db, table, **values):
    columns = ", ".join(f'"{name}"' for name in values)
    marks = ", ".join("?" * len(values))
    db.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", list(values.values()))


def make_trace(path, rank=0, world_size=4, outcome="finalized", clock_ns=0, name="rows", node="node1", extra=None,
               schema=SCHEMA + VIEWS):
    """One rank's trace. clock_ns: by how much this rank's MPI_Init returned later than rank 0's."""
    db = sqlite3.connect(path)
    db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + schema)  # nothing here outlives the test
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
        insert(db, "frame", frame=frame, module=module, build_id=build_id, offset=offset)
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


def make_run(folder, ranks=4, **options):
    """A run of four ranks, by default; rank r returned r milliseconds later from MPI_Init. Returns its path. Its traces have no views, which the
    command makes for all ranks together: parsing them for each trace would take most of the time of a test."""
    run = pathlib.Path(folder) / "solver.k3f9a2xq.callsign"
    run.mkdir()
    options.setdefault("schema", SCHEMA)
    for rank in range(ranks):
        make_trace(run / f"rank-{rank:05d}.db", rank, ranks, clock_ns=rank * 1_000_000, **options)
    return run


# ---- journals ----

PAGE = 4096
HEADER = struct.Struct("=8s4I2i2I2Q3Q3Q9Q")
BLOCK = struct.Struct("=2I2Q2I4Q")
FACT = struct.Struct("=2HIQ")
OUTCOMES = {"running": 0, "finalized": 1, "aborted": 2, "exited": 3}
LOG, THREAD, PROFILE = 1, 2, 3
NOBODY = 2**22 + 1  # beyond every process id of Linux


def fact(kind, ticks, fields=b"", strings=()):
    content = fields + b"".join(text.encode() + b"\0" for text in strings)
    content += b"\0" * (-(FACT.size + len(content)) % 8)
    return FACT.pack(kind, 0, FACT.size + len(content), ticks) + content


def block(kind, content, used, item_bytes=0, thread=0):
    total = BLOCK.size + len(content)
    padding = -total % PAGE
    return BLOCK.pack(0x4B425343, kind, total + padding, used, thread, item_bytes, 0, 0, 0, 0) + content + b"\0" * padding


def make_journal(path, rank=0, size=4, outcome="running", pid=NOBODY, process_start=0, node=os.uname().nodename, function=RECV,
                 boot=place.boot(), pid_namespace=place.pid_namespace(), locked=0):
    """A journal on a nanosecond clock: begun at second 1, MPI_Init returned at second 2 (rank 0's instant 0), last heard
    of at second 6."""
    log = fact(1, SECOND, strings=("node", node)) + fact(1, SECOND, strings=("program", "/opt/app/bin/solver"))
    log += fact(1, SECOND, strings=("started_utc", "2026-09-21T14:13:20Z"))
    log += fact(3, 2 * SECOND, struct.pack("=2I2HIQqQ2QI2H", 1, 0, 1, 0, 2, 0x44000000, -2**63, 0, 0, 0, 0, 0, 0))
    log += fact(8, 2 * SECOND, struct.pack("=2IQ", 1, 2, 0), ("MPI_COMM_WORLD",))
    inside = 1 if function else 0
    # The innermost call of a callback and the requests of a wait follow: there are none.
    state = struct.pack("=2I2HI2i6Q2II2iI2Q2128x", 0, pid, function or SEND, inside, 1, 1, 7, 2**64 - 1, 0x1234, 5 * SECOND, 4 * SECOND,
                        2 * SECOND, 100, 1, 0, 0, 0, 0, 0, SECOND, 0)
    cells = struct.pack("=QIHBB6Q", 0x1234, 1, RECV, 4, 0, 100, 2 * SECOND, SECOND // 100, SECOND // 10, 800, 0)
    blocks = block(LOG, log, len(log)) + block(THREAD, state, 1, len(state)) + block(PROFILE, cells, 1, 64)
    header = HEADER.pack(b"CSJOURN\n", 6, 0x01020304, HEADER.size, OUTCOMES[outcome], rank, size, pid, 1, process_start, SECOND,
                         SECOND, SECOND, ZERO_UTC_NS - SECOND, 6 * SECOND, 6 * SECOND, ZERO_UTC_NS + 4 * SECOND, 2 * SECOND, 0,
                         PAGE + len(blocks), 0, 77, 4, boot, pid_namespace, locked)
    pathlib.Path(path).write_bytes(header + b"\0" * (PAGE - len(header)) + blocks)


def make_living_journal(path, process, **options):
    """The journal of a process that runs."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    make_journal(path, pid=process.pid, process_start=int(fields[22 - 3]), **options)
