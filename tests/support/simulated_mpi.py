"""An MPI that needs no time of this machine: simulates programs of messages and collective calls, and writes the events that callsign would
record of them. Tests change the program and simulate it again: what callsign forecasts must be that.

A program is a list of calls for each rank:
    ("work", ns, site)                  code that ends at the next call
    ("send" | "recv", peer, tag, bytes), ("isend" | "irecv", peer, tag, bytes), ("waitall",)
    ("barrier",), ("allreduce",), ("bcast", root), ("reduce", root)
    ("win_post" | "win_start" | "win_complete" | "win_wait", peer), ("win_lock" | "win_unlock", target): exclusive
    ("win_lock_all" | "win_unlock_all", None)
    ("win_flush", target)               if locks are lazy, this or the unlock takes the lock
    ("pcontrol", path, site)            MPI_Pcontrol that begins or ends a region; then the process is in this one ("": in none)
All on one communicator. Messages of a pair and tag must be posted in order."""
import random
import sqlite3

import fixture
import function_table

NAMES = ["MPI_Send", "MPI_Recv", "MPI_Isend", "MPI_Irecv", "MPI_Waitall", "MPI_Barrier", "MPI_Allreduce", "MPI_Bcast", "MPI_Reduce", "MPI_Init", "MPI_Finalize", "MPI_Pcontrol",
         "MPI_Win_post", "MPI_Win_start", "MPI_Win_complete", "MPI_Win_wait", "MPI_Win_lock", "MPI_Win_unlock", "MPI_Win_lock_all", "MPI_Win_unlock_all", "MPI_Win_flush"]
FUNCTION = {name.removeprefix("MPI_").lower(): 1000 + number for number, name in enumerate(NAMES)}
TEAM, UID, EAGER = 3, 700, 4096


class Network:
    """far: latency between nodes of `per_node` ranks each; their bandwidth is half. across: between packages of `per_package` ranks each. lazy: a lock of
    one target is taken with the first call that needs it."""

    def __init__(self, latency=2000, overhead=500, rendezvous=True, far=None, per_node=None, across=None, per_package=None, lazy=False):
        self.lazy = lazy
        self.latency, self.overhead, self.rendezvous, self.far, self.per_node = latency, overhead, rendezvous, far, per_node
        self.across, self.per_package = across, per_package

    def node(self, rank):
        return rank // self.per_node if self.per_node else 0

    def transfer(self, size, source=0, dest=0):
        if self.node(source) != self.node(dest):
            return self.far + size // 5
        if self.per_package and source // self.per_package != dest // self.per_package:
            return self.across + size // 10
        return self.latency and self.latency + size // 10

    def collective(self, ranks, size):
        """A tree: each of its stages is one transfer, those between nodes first."""
        stages, apart = (ranks - 1).bit_length(), (len({self.node(rank) for rank in range(ranks)}) - 1).bit_length()
        far = apart and apart * (self.far + size // 5)
        return far + (stages - apart) * self.transfer(size)


IDEAL = Network(0, 0)


class Simulation:
    """events: of each rank, (number, function, site, start, end, fields); parts: rows of event_message and event_completion."""

    def __init__(self, program, network):
        self.network, self.ranks = network, len(program)
        self.clock, self.number, self.at = [0] * self.ranks, [0] * self.ranks, [0] * self.ranks
        self.sent, self.posted, self.count = {}, {}, {}
        self.collectives, self.calls = {}, [0] * self.ranks
        self.requests = [[] for _ in program]
        self.begun = [None] * self.ranks
        self.site = [0] * self.ranks
        self.events = [[] for _ in program]
        self.messages, self.completions, self.traffic, self.regions = [], [], set(), {}
        self.windows, self.unlocked, self.epochs = [], {}, {}
        self.sharing, self.shared_until = set(), 0
        self.asked = set()  # (rank, target) of locks that are not taken yet
        while any(at < len(calls) for at, calls in zip(self.at, program)):
            moved = False
            for rank, calls in enumerate(program):
                while self.at[rank] < len(calls) and self.step(rank, calls[self.at[rank]]):
                    self.at[rank] += 1
                    self.begun[rank] = None
                    moved = True
            assert moved, "the program deadlocks"
        self.length = max(self.clock)

    def next_number(self, rank):
        self.number[rank] += 1
        return self.number[rank]

    def nth(self, direction, source, dest, tag):
        key = (direction, source, dest, tag)
        self.count[key] = self.count.get(key, 0) + 1
        self.traffic.add((direction, source, dest))
        return self.count[key]

    def record(self, rank, call, end, **fields):
        self.events[rank].append((self.next_number(rank), FUNCTION[call], self.site[rank], self.clock[rank], end, fields))
        self.clock[rank] = end

    def arrival(self, key, size, ready):
        """When a receive that is ready then gets the message; None: not yet known."""
        if key not in self.sent:
            return None
        sent = self.sent[key]
        if size > EAGER and self.network.rendezvous:
            return max(sent, self.posted[key]) + self.network.transfer(size, *key[:2])
        return max(sent + self.network.transfer(size, *key[:2]), ready + self.network.overhead)

    def departure(self, key, size, ready):
        """When a send is over."""
        if size <= EAGER or not self.network.rendezvous:
            return ready + self.network.overhead
        return max(ready, self.posted[key]) + self.network.transfer(size, *key[:2]) if key in self.posted else None

    def step(self, rank, call):
        """Does the call, or what of it is possible. False: it waits for another rank."""
        kind, now = call[0], self.clock[rank]
        if kind == "work":
            self.clock[rank] += call[1]
            self.site[rank] = call[2]
            return True
        if kind.startswith("win_"):
            return self.window(rank, now, *call)
        if kind == "pcontrol":
            self.regions[rank, call[1], call[2]] = self.regions.get((rank, call[1], call[2]), 0) + 1
            self.site[rank] = call[2]
            self.record(rank, kind, now)
            return True
        return getattr(self, kind if kind in ("send", "recv", "isend", "irecv", "waitall") else "collective")(rank, now, *call)

    def send(self, rank, now, kind, dest, tag, size):
        key = self.begun[rank] or (rank, dest, tag, self.nth("send", rank, dest, tag))
        self.begun[rank] = key
        self.sent.setdefault(key, now)
        end = self.departure(key, size, now)
        if end is None:
            return False
        self.record(rank, kind, end, peer=dest, tag=tag, bytes=size, direction="send", nth=key[3])
        return True

    def recv(self, rank, now, kind, source, tag, size):
        key = self.begun[rank] or (source, rank, tag, self.nth("receive", source, rank, tag))
        self.begun[rank] = key
        self.posted.setdefault(key, now)
        end = self.arrival(key, size, now)
        if end is None:
            return False
        self.record(rank, kind, end, peer=source, tag=tag, bytes=size, direction="receive", nth=key[3])
        return True

    def isend(self, rank, now, kind, dest, tag, size):
        key = (rank, dest, tag, self.nth("send", rank, dest, tag))
        self.sent[key] = now
        self.record(rank, kind, now + self.network.overhead, peer=dest, tag=tag, bytes=size, direction="send", nth=key[3])
        self.requests[rank].append(("send", key, size, self.number[rank]))
        return True

    def irecv(self, rank, now, kind, source, tag, size):
        key = (source, rank, tag, self.nth("receive", source, rank, tag))
        self.posted[key] = now
        self.record(rank, kind, now + self.network.overhead, peer=source, tag=tag, bytes=size)
        self.requests[rank].append(("receive", key, size, self.number[rank]))
        return True

    def waitall(self, rank, now, kind):
        ends = [now + self.network.overhead]
        for direction, key, size, _ in self.requests[rank]:
            # a small send was complete at once
            ends.append(self.arrival(key, size, now) if direction == "receive" else self.departure(key, size, now - self.network.overhead)
                        if size > EAGER and self.network.rendezvous else now)
        if None in ends:
            return False
        event = self.number[rank] + 1 + sum(direction == "receive" or size > EAGER for direction, _, size, _ in self.requests[rank])
        for direction, key, size, posted in self.requests[rank]:
            if direction == "receive":
                self.messages.append((rank, 0, self.next_number(rank), event, 0, posted, TEAM, "receive", key[0], key[2], size, key[3]))
            elif size > EAGER:
                self.completions.append((rank, 0, self.next_number(rank), event, 0, posted))
        self.requests[rank] = []
        self.record(rank, kind, max(ends))
        return True

    def window(self, rank, now, kind, peer):
        """unlocked: when each target was; None: it is locked. sharing: the ranks that have locked all."""
        ready, number = now, None
        takes = (rank, peer) in self.asked or (kind == "win_lock" and not self.network.lazy)
        if takes:
            ready = None if self.sharing or self.unlocked.get(peer, 0) is None else max(self.shared_until, self.unlocked.get(peer, 0))
            if ready is None:
                return False
            self.asked.discard((rank, peer))
            self.unlocked[peer] = None
        if kind == "win_lock":
            if not takes:
                self.asked.add((rank, peer))
        elif kind == "win_lock_all":
            ready = None if None in self.unlocked.values() else max(self.unlocked.values(), default=0)
        elif kind == "win_unlock":
            self.unlocked[peer] = max(ready, now)
        elif kind == "win_flush":
            pass
        elif kind == "win_unlock_all":
            self.sharing.discard(rank)
            self.shared_until = max(self.shared_until, now)
        else:
            number = self.epochs.get((kind, rank, peer), 0) + 1
            if kind in ("win_post", "win_complete"):
                self.sent[kind, rank, peer, number] = now
            else:
                ready = self.sent.get(("win_post" if kind == "win_start" else "win_complete", peer, rank, number))
        if ready is None:
            return False
        if kind == "win_lock_all":
            self.sharing.add(rank)
        self.epochs[kind, rank, peer] = number
        if kind not in ("win_unlock", "win_lock_all", "win_unlock_all", "win_flush"):
            entry = self.next_number(rank)
            self.windows.append((rank, 0, entry, entry + 1, TEAM, peer, number))
        self.record(rank, kind, max(ready, now) + self.network.overhead, peer=peer if "lock" in kind or "flush" in kind else None)
        return True

    def collective(self, rank, now, kind, root=None):
        number = self.begun[rank] or self.calls[rank] + 1
        self.begun[rank] = self.calls[rank] = number
        entered = self.collectives.setdefault(number, {})
        entered.setdefault(rank, now)
        needed = [root] if kind == "bcast" else range(self.ranks) if kind != "reduce" or rank == root else [rank]
        if any(other not in entered for other in needed):
            return False
        cost = self.network.overhead if rank in needed and len(needed) == 1 else self.network.collective(self.ranks, 8)
        self.record(rank, kind, max([entered[other] for other in needed] + [now]) + cost, peer=root, bytes=None if kind == "barrier" else 8, collective=number)
        return True

    def write(self, path):
        """The run as one database."""
        db = sqlite3.connect(path)
        db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + fixture.MERGED)
        for name, number in zip(NAMES, FUNCTION.values()):
            fixture.insert(db, "function", function=number, name=name)
        for rank in range(self.ranks):
            fixture.insert(db, "process", rank=rank, world_size=self.ranks, node=f"n{self.network.node(rank)}", pid=1 + rank, program="p", clock_offset_ns=0, clock_error_ns=0, began_ns=0, init_ns=0,
                           last_seen_ns=self.length, outcome="finalized", threads=1, calls=1, mpi_ns=1, lost=0, damaged=0)
            fixture.insert(db, "object", rank=rank, object=TEAM, kind="communicator", name="team", name_origin="program", uid=UID, created_ns=0, internal=0,
                           predefined=0, adopted=0)
            fixture.insert(db, "communicator", rank=rank, object=TEAM, size=self.ranks, own_rank=rank)
            if self.epochs:
                fixture.insert(db, "window", rank=rank, object=TEAM, communicator=TEAM)
            if self.network.per_package:
                fixture.insert(db, "thread_processor", rank=rank, thread=0, cpu=rank, calls=1, moves=0, first_ns=0, last_ns=self.length)
                fixture.insert(db, "processor", rank=rank, cpu=rank, core=rank % self.network.per_package, package=rank // self.network.per_package)
            for number, function, site, start, end, fields in self.events[rank]:
                fixture.insert(db, "event", rank=rank, thread=0, event=number, function=function, object=TEAM, site=site, start_ns=start,
                               duration_ns=end - start, calls=1, **fields)
        db.executemany(f"INSERT INTO event_message VALUES ({', '.join('?' * 12)})", self.messages)
        db.executemany("INSERT INTO event_completion VALUES (?, ?, ?, ?, ?, ?)", self.completions)
        db.executemany("INSERT INTO event_window VALUES (?, ?, ?, ?, ?, ?, ?)", self.windows)
        for direction, source, dest in sorted(self.traffic):
            rank, peer = (source, dest) if direction == "send" else (dest, source)
            fixture.insert(db, "traffic", rank=rank, object=TEAM, direction=direction, peer=peer, source=source, dest=dest, messages=1, bytes=1, time_ns=1)
        self.write_regions(db)
        function_table.complete(db)
        db.commit()
        db.close()
        return path


    def write_regions(self, db):
        paths = sorted({path for _, path, _ in self.regions if path})
        for rank in range(self.ranks):
            for number, path in enumerate(paths, 1):
                fixture.insert(db, "region", rank=rank, region=number, parent=0, name=path.split("/")[-1], path=path, entries=1, time_ns=1, first_ns=0,
                               last_ns=self.length)
        for (rank, path, site), calls in self.regions.items():
            if path:
                fixture.insert(db, "region_profile", rank=rank, region=paths.index(path) + 1, communicator=0, object=0, function=FUNCTION["pcontrol"], site=site, size_class=0,
                               calls=calls, time_ns=0, sent_bytes=0, received_bytes=0)
        for site in {site for _, _, site in self.regions}:
            calls = sum(count for (_, _, each), count in self.regions.items() if each == site)
            fixture.insert(db, "summary", part="site", similar=0, kind="", function=FUNCTION["pcontrol"], site=site, size_class=0, ranks=self.ranks, calls=calls,
                           **dict.fromkeys(("open", "time_ns", "least_ns", "least_rank", "most_ns", "most_rank", "quarter_ns", "median_ns", "three_quarters_ns", "sent_bytes", "received_bytes"), 0))


def random_program(seed, ranks=4, phases=60):
    """Work of different length, and all kinds of calls between random ranks; no deadlock with rendezvous."""
    dice = random.Random(seed)
    program = [[("work", 1000, 1), ("barrier",)] for _ in range(ranks)]
    slow = [dice.uniform(0.5, 1.5) for _ in range(ranks)]
    for phase in range(phases):
        site = 10 + phase % 7
        for rank in range(ranks):
            program[rank].append(("work", int(dice.uniform(20_000, 200_000) * slow[rank]), site))
        kind = dice.choice(["pair", "pair", "pair", "ring", "ring", "barrier", "allreduce", "bcast", "reduce"])
        size = dice.choice([8, 1000, 50_000])
        if kind == "pair":
            source, dest = dice.sample(range(ranks), 2)
            program[source].append(("send", dest, phase % 3, size))
            program[dest].append(("recv", source, phase % 3, size))
        elif kind == "ring":
            for rank in range(ranks):
                program[rank] += [("irecv", (rank - 1) % ranks, 9, size), ("isend", (rank + 1) % ranks, 9, size),
                                  ("work", int(dice.uniform(1000, 100_000)), site + 10), ("waitall",)]
        else:
            root = dice.randrange(ranks)
            for rank in range(ranks):
                program[rank].append((kind, root) if kind in ("bcast", "reduce") else (kind,))
    for calls in program:
        calls += [("work", 1000, 2), ("barrier",)]
    return program


def scaled(program, factors, site=None):
    """The program with the work of each rank changed; site: only the work that ends there."""
    return [[(call[0], int(call[1] * factor), *call[2:]) if call[0] == "work" and site in (None, call[2]) else call for call in calls]
            for calls, factor in zip(program, factors)]


def useful(program, site=None):
    """The work of each rank."""
    return [sum(call[1] for call in calls if call[0] == "work" and site in (None, call[2])) for calls in program]
