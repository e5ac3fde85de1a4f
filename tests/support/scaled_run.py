"""Makes a run of any number of ranks from a recorded one, without MPI.

    scaled_run.py RECORDED OUT --ranks 1024 [--files rank|node] [--per-node 64] [--late RANK:SECONDS]... [--leak RANK:COUNT]... [--seed N]

The ranks of the recorded run are repeated in blocks. A communicator of all recorded ranks becomes one of all new ranks; any other one stays in its
block, with a uid of its own there. The ranks of a node share clock and package, each on a processor of its own. Times vary by a few percent, as the
seed says. With --files node the ranks of a node share a file, as with CALLSIGN_FILES=node; the program write_node_file, of the build or as
CS_TEST_WRITE_NODE_FILE says, brings their rows into the form of such a file. A late rank comes late to a collective call on MPI_COMM_WORLD: all others wait for it. A leak is a number of datatypes.
"""

import argparse
import dataclasses
import functools
import multiprocessing
import os
import pathlib
import random
import re
import sqlite3
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent))
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "db/trace"))
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2]))
import bounded  # noqa: E402  (the path must be set first)
import embed  # noqa: E402
from gen import model, model_tables  # noqa: E402

WRITE_NODE_FILE = os.environ.get("CS_TEST_WRITE_NODE_FILE", pathlib.Path(__file__).resolve().parents[2] / "build/release/tests/write_node_file")
PAGE = {"rank": 1024, "node": 4096}  # bytes, as in the file of a rank and of a node
VARIATION = 0.05
FIRST_PID = 10_000


@dataclasses.dataclass
class Plan:
    recorded: list  # path of each recorded rank
    out: pathlib.Path
    ranks: int
    per_node: int = 64
    files: str = "rank"
    late: dict = dataclasses.field(default_factory=dict)  # rank: seconds
    leak: dict = dataclasses.field(default_factory=dict)  # rank: datatypes
    seed: int = 1
    plain: bool = False  # the files of nodes stay as write_node_file reads them, so that a test can change their tables
    awaited: int = None  # number of the function to which late ranks come late


@dataclasses.dataclass
class Rank:
    """One of the new ranks."""
    rank: int
    plan: Plan

    @property
    def source(self):
        return self.rank % len(self.plan.recorded)

    @property
    def first(self):
        """Rank of its block that rank 0 of the recorded run became."""
        return self.rank - self.source

    @property
    def local(self):
        return self.rank % self.plan.per_node

    @property
    def node(self):
        return f"node{self.rank // self.plan.per_node:05d}"

    @property
    def on_node(self):
        return min(self.plan.per_node, self.plan.ranks - self.rank + self.local)


def mixed(number, salt):
    """Another 64-bit number, well spread; NULL stays."""
    if number is None:
        return None
    number = ((number ^ (salt * 0x9e3779b97f4a7c15)) * 0xbf58476d1ce4e5b9) & (2**64 - 1)
    number ^= number >> 29
    return number - 2**64 if number >= 2**63 else number


def moved(ranges, by):
    """Ranks as ranges, "0-3,8-12:2", all higher by a number."""
    return ranges and re.sub(r"(:?)(\d+)", lambda found: found[0] if found[1] else str(int(found[0]) + by), ranges)


def all_members(members, ranks, recorded):
    """The members of a communicator of all ranks: the recorded order, block by block."""
    if members in (None, f"0-{recorded - 1}"):
        return members and f"0-{ranks - 1}"
    return ",".join(moved(members, first) for first in range(0, ranks, recorded))


@functools.cache
def tables():
    """{table: [(column, type)]}"""
    return {table.name: [(column.name, column.type) for column in table.items] for table in model.read_folder().of_kind("table")}


@functools.cache
def empty_trace(page):
    settings, created = embed.tables_of(model_tables.schema(model.read_folder()))
    db = sqlite3.connect(":memory:")
    db.executescript(f"PRAGMA page_size = {page};" + settings + "".join(bare + ";" for _, _, bare in created))
    return db.serialize()


# How columns change; all others stay. `everywhere` says whether the object is a communicator of all ranks. A block of the recorded run is what the
# ranks from :first on are.
EVERYWHERE = "t.{0} IN temp.everywhere"
PEER = "t.{0} + CASE WHEN t.{0} >= 0 AND " + EVERYWHERE.format("{1}") + " THEN :first ELSE 0 END"
UID = "mixed(t.{0}, CASE WHEN " + EVERYWHERE.format("{1}") + " THEN -1 ELSE :first END)"
CHANGED = {
    "process": {"world_size": ":ranks", "node": ":node", "pid": ":pid", "run_hash": "mixed(t.run_hash, :seed)",
                "last_peer": PEER.format("last_peer", "last_object")},
    "thread": {"tid": ":pid + t.thread", "peer": PEER.format("peer", "object")},
    "object": {"uid": UID.format("uid", "object"), "family": UID.format("family", "parent")},
    "communicator": {"size": f"CASE WHEN {EVERYWHERE.format('object')} THEN :ranks ELSE t.size END",
                     "own_rank": PEER.format("own_rank", "object"),
                     "members": f"CASE WHEN {EVERYWHERE.format('object')} THEN CASE WHEN :first = 0 THEN all_members(t.members) END"
                                " ELSE moved(t.members, :first) END"},
    "traffic": {"peer": PEER.format("peer", "object"), "source": "t.source + :first", "dest": "t.dest + :first"},
    "active_request": {"peer": PEER.format("peer", "object")},
    "placement": {"processor_name": "CASE WHEN t.processor_name NOTNULL THEN :node END", "cpu": ":local + 0 * t.cpu",
                  "allowed_cpus": "CASE WHEN t.allowed_cpus NOTNULL THEN :local || '' END"},
    "processor": {"cpu": ":local", "core": ":local", "package": "0", "numa_node": "0", "core_cpus": ":local || ''", "package_cpus": ":cpus"},
    "thread_processor": {"cpu": ":local", "calls": "sum(t.calls)", "moves": "0", "first_ns": "min(t.first_ns) + m.shift",
                         "last_ns": "max(t.last_ns) + m.shift"},
    "profile": {name: f"CAST(t.{name} * :slower AS INT)" for name in ("time_ns", "min_ns", "max_ns")},
}
GROUP = {"processor": " GROUP BY m.rank", "thread_processor": " GROUP BY m.rank, t.thread"}
# The ranks of a file count from one zero of their clock.
SHIFTED = {"instant": "t.{0} + m.shift", "zero": "t.{0} - m.shift", "offset": "t.{0} + m.shift"}
OF_MEMBER = ("rank", "first", "local", "pid", "cpus", "slower")


def chosen(table, column, kind):
    """The SQL of a column's new value, for the row m of a member of the file."""
    if column == "rank":
        return "m.rank"
    sql = CHANGED.get(table, {}).get(column) or SHIFTED.get(kind, "t.{0}").format(column)
    for name in OF_MEMBER:
        sql = re.sub(f":{name}\\b", f"m.{name}", sql)
    return sql


@functools.cache
def copying(table):
    """The statement that copies the rows of a recorded rank to its members of a file."""
    columns = tables()[table]
    if columns[0][0] != "rank":
        return f"INSERT OR IGNORE INTO main.{table} SELECT * FROM recorded.{table}"
    values = ", ".join(chosen(table, name, kind) for name, kind in columns)
    return f"INSERT INTO main.{table} SELECT {values} FROM temp.member m CROSS JOIN recorded.{table} t WHERE m.source = :source" + GROUP.get(table, "")


WORLD = 1  # number of MPI_COMM_WORLD on every rank


def add_waiting(db, rank):
    """Time in the first call to which others come late, and the end of the run is as much later for everybody."""
    late = rank.plan.late
    waited = sum(int(seconds * 1e9) for other, seconds in late.items() if other != rank.rank)
    db.execute(f"UPDATE profile SET time_ns = time_ns + ?1, max_ns = max_ns + ?1 WHERE (site, size_class) = (SELECT site, size_class FROM profile"
               f" WHERE rank = ?3 AND communicator = {WORLD} AND object = 0 AND function = ?2 ORDER BY 1, 2 LIMIT 1)"
               f" AND rank = ?3 AND communicator = {WORLD} AND object = 0 AND function = ?2", (waited, rank.plan.awaited, rank.rank))


def end_later(db, plan):
    total = sum(int(seconds * 1e9) for seconds in plan.late.values())
    db.execute("UPDATE process SET finalize_ns = finalize_ns + ?1, last_seen_ns = last_seen_ns + ?1", (total,))
    db.execute("UPDATE thread SET since_ns = since_ns + ?1, until_ns = until_ns + ?1, lived_ns = lived_ns + ?1 WHERE thread = 0", (total,))


def add_leaks(db, rank):
    """Datatypes that are never freed, made by the call that made some object of the recorded rank."""
    last, site = db.execute("SELECT max(object), max(site) FROM object WHERE rank = ?", (rank.rank,)).fetchone()
    db.execute("INSERT OR IGNORE INTO function (function, name, class, synchronizing, creates, duplicates)"
               " VALUES (13002, 'MPI_Type_vector', 'datatype', 0, 'creates', 0)")
    for number in range(last + 1, last + 1 + rank.plan.leak[rank.rank]):
        db.execute("INSERT INTO object (rank, object, kind, name, name_origin, function, site, created_ns, internal, predefined, adopted)"
                   " SELECT rank, ?2, 'datatype', 'planted', 'program', 13002, ?3, 1000 + clock_offset_ns, 0, 0, 0 FROM process WHERE rank = ?1",
                   (rank.rank, number, site))


def make_totals_right(db):
    """The time in MPI is that of the profile; threads share it as before."""
    db.execute("CREATE TEMP TABLE total AS SELECT rank, mpi_ns AS before, (SELECT sum(time_ns) FROM profile f WHERE f.rank = p.rank) AS after"
               " FROM process p")
    db.execute("UPDATE thread AS t SET mpi_ns = CAST(t.mpi_ns * (1.0 * after / before) AS INT) FROM temp.total s"
               " WHERE s.rank = t.rank AND before <> 0 AND after <> 0")
    db.execute("UPDATE process AS t SET mpi_ns = after FROM temp.total s WHERE s.rank = t.rank AND before <> 0 AND after <> 0")


def add_members(db, ranks):
    """The new ranks of the file. Their zeros are apart as those of the recorded ranks."""
    plan = ranks[0].plan
    db.execute("CREATE TEMP TABLE member (rank INTEGER PRIMARY KEY, source INT, first INT, local INT, pid INT, cpus TEXT, slower REAL, shift INT)")
    zero = zero_of(plan.recorded[ranks[0].source])
    for rank in ranks:
        dice = random.Random(f"{plan.seed} {rank.rank}")
        db.execute("INSERT INTO member VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                   (rank.rank, rank.source, rank.first, rank.local, FIRST_PID + rank.local, f"0-{rank.on_node - 1}", dice.uniform(1 - VARIATION, 1),
                    zero_of(plan.recorded[rank.source]) - zero))


@functools.cache
def zero_of(recorded):
    """Instant 0 of a recorded rank on the clock of its node."""
    db = sqlite3.connect(f"file:{recorded}?mode=ro", uri=True)
    (zero,) = db.execute("SELECT coalesce(zero_monotonic_ns, 0) FROM process").fetchone()
    db.close()
    return zero


def copy_source(db, plan, source, node):
    db.execute("ATTACH ? AS recorded", (f"file:{plan.recorded[source]}?mode=ro&immutable=1",))
    db.execute("BEGIN")
    db.execute("DELETE FROM temp.everywhere")
    db.execute("INSERT INTO temp.everywhere SELECT object FROM recorded.communicator WHERE size = ? AND remote_size IS NULL", (len(plan.recorded),))
    for table in tables():
        db.execute(copying(table), {"source": source, "ranks": plan.ranks, "node": node, "seed": plan.seed})
    db.execute("COMMIT")
    db.execute("DETACH recorded")


def write_file(ranks):
    """The file of one of the new ranks, or of several of a node."""
    plan, node = ranks[0].plan, ranks[0].node
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.deserialize(empty_trace(PAGE[plan.files]))
    for function, arguments in ((mixed, 2), (moved, 2)):
        db.create_function(function.__name__, arguments, function, deterministic=True)
    db.create_function("all_members", 1, functools.partial(all_members, ranks=plan.ranks, recorded=len(plan.recorded)), deterministic=True)
    add_members(db, ranks)
    db.execute("CREATE TEMP TABLE everywhere (object INTEGER PRIMARY KEY)")
    for source in sorted({rank.source for rank in ranks}):
        copy_source(db, plan, source, node)
    db.execute("BEGIN")
    if plan.late:
        end_later(db, plan)
    for rank in ranks:
        if plan.late:
            add_waiting(db, rank)
        if rank.rank in plan.leak:
            add_leaks(db, rank)
    make_totals_right(db)
    db.execute("COMMIT")
    if len(ranks) > 1:
        db.execute("VACUUM")  # rows came in another order than those of journals
    content = db.serialize()
    db.close()
    path = plan.out / (f"node-{node}.db" if plan.files == "node" else f"rank-{ranks[0].rank:05d}.db")
    path.write_bytes(content)
    if plan.files == "node" and not plan.plain:
        bounded.run([WRITE_NODE_FILE, path], timeout=60, check=True)


def awaited_call(recorded):
    """A function that every recorded rank calls on MPI_COMM_WORLD and that nobody leaves before all have entered it."""
    called = []
    for path in recorded:
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        called.append({function for function, in db.execute(
            f"SELECT DISTINCT function FROM profile JOIN function USING (function) WHERE communicator = {WORLD} AND object = 0 AND synchronizing"
            " AND class = 'collective'")})
        db.close()
    return min(set.intersection(*called), default=None)


def make(plan):
    """Writes all files; the folder is new."""
    if plan.ranks % len(plan.recorded):
        raise ValueError(f"{plan.ranks} ranks are no multiple of the {len(plan.recorded)} recorded ones")
    if plan.late:
        plan.awaited = awaited_call(plan.recorded)
        if not plan.awaited:
            raise ValueError("the recorded ranks make no common collective call that a rank could come late to")
    plan.out.mkdir()
    together = plan.per_node if plan.files == "node" else 1
    ranks = [Rank(rank, plan) for rank in range(plan.ranks)]
    with multiprocessing.Pool() as pool:
        pool.map(write_file, [ranks[first:first + together] for first in range(0, plan.ranks, together)], chunksize=max(1, 8 // together))


def plan_of(recorded, out, ranks, **options):
    """The plan of a run, from the folder of the recorded one."""
    paths = sorted(pathlib.Path(recorded).glob("rank-*.db"))
    if not paths:
        raise ValueError(f"{recorded} has no rank-*.db")
    return Plan(paths, pathlib.Path(out), ranks, **options)


def pairs(texts, kind):
    return {int(rank): kind(value) for rank, value in (text.split(":") for text in texts)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recorded")
    parser.add_argument("out")
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("--files", choices=sorted(PAGE), default="rank")
    parser.add_argument("--per-node", type=int, default=64)
    parser.add_argument("--late", action="append", default=[])
    parser.add_argument("--leak", action="append", default=[])
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3), "little"))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}")
    try:
        make(plan_of(arguments.recorded, arguments.out, arguments.ranks, per_node=arguments.per_node, files=arguments.files, late=pairs(arguments.late, float),
                     leak=pairs(arguments.leak, int), seed=arguments.seed))
    except ValueError as error:
        sys.exit(f"scaled_run.py: {error}")


if __name__ == "__main__":
    main()
