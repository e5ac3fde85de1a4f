"""Simulated hosts on one machine: each a process with network, name and mounts of its own, all on one network of their own.

    with Hosts(2) as hosts:                      csa and csb, 10.77.0.1 and 10.77.0.2
        hosts.launcher("mpich", "mpiexec", 4)    the words that launch four ranks on them, before the program
        hosts.environment()                      what the launchers need to know for it

    with Hosts(2, {"csb": Clock(2 * 10**9, 50_000)}) as hosts:     the second one is two seconds ahead, and drifts by 50 ppm

The hosts are held by processes that end when this one does, however it ends, and nothing but processes has a name outside: tests may
run side by side, and nothing is left behind. Needs root, unshare and nsenter (util-linux), and ip (iproute2); trouble() says what is missing.
"""

import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import typing

import bounded

NETWORK = "10.77.0."
READY_SECONDS = 20

# A host: its name, its file of names, its loopback; then it waits until nobody holds the other end of its input.
HOST = 'hostname "$0" && mount --bind "$1" /etc/hosts && ip link set lo up && echo ready && exec cat'

# The launchers start this instead of ssh. They give options, the host, and the words of a command for its shell. Who enters a host's mounts
# stands in its root.
AGENT = """#!/bin/sh
while [ "${{1#-}}" != "$1" ]; do shift; done
host=$1
shift
case $host in
{cases}
*) echo "no such host: $host" >&2; exit 1 ;;
esac
exec nsenter --target "$pid" --net --uts --mount sh -c 'cd "$0" && eval "$1"' "$PWD" "$*"
"""


class Clock(typing.NamedTuple):
    """How wrong a host's clock is: CLOCK_REALTIME, CLOCK_MONOTONIC and the like (shifted_clock.c). It drifts since `age_ns` before now."""

    offset_ns: int = 0
    drift_ppb: int = 0
    age_ns: int = 0
    now_ns: tuple = ()  # when it was made

    def since(self, kind):
        real, monotonic = self.now_ns
        return (monotonic if kind == time.CLOCK_MONOTONIC else real) - self.age_ns


def set_clock(clock):
    """The same clock, from now on."""
    return clock if clock.now_ns else clock._replace(now_ns=(time.time_ns(), time.monotonic_ns()))


def shown(clock, ns, kind=time.CLOCK_REALTIME):
    """The reading of such a clock when the right one shows ns."""
    return ns + clock.offset_ns + int((ns - clock.since(kind)) * clock.drift_ppb // 10**9)


def clock_environment(clocks, preload=""):
    """The environment that shows these clocks to programs on these hosts. preload: other preloaded libraries."""
    words = [f"{name} {clock.offset_ns} {clock.drift_ppb} {clock.since(time.CLOCK_REALTIME)} {clock.since(time.CLOCK_MONOTONIC)}"
             for name, clock in clocks.items()]
    return {"CS_TEST_CLOCKS": " ".join(words), "LD_PRELOAD": ":".join(filter(None, (os.environ["CS_TEST_SHIFTED_CLOCK"], preload)))}


class Hosts:
    def __init__(self, count, clocks=None):
        self.clocks = {name: set_clock(clock) for name, clock in (clocks or {}).items()}
        self.names = [f"cs{chr(ord('a') + i)}" for i in range(count)]
        self.open = contextlib.ExitStack()
        self.pids = {}

    def __enter__(self):
        try:
            self.begin()
        except BaseException:
            self.open.close()
            raise
        return self

    def __exit__(self, *_):
        self.open.close()

    def begin(self):
        self.folder = pathlib.Path(self.open.enter_context(tempfile.TemporaryDirectory(prefix="callsign-hosts-")))
        table = self.folder / "hosts"
        table.write_text("127.0.0.1 localhost\n" + "".join(f"{NETWORK}{i} {name}\n" for i, name in enumerate(self.names, 1)), encoding="utf-8")
        hub = self.hold("hub", table)
        self.ip(hub, "link", "add", "name", "hub", "type", "bridge")
        self.ip(hub, "link", "set", "hub", "up")
        for i, name in enumerate(self.names, 1):
            pid = self.pids[name] = self.hold(name, table)
            self.ip(hub, "link", "add", "name", f"port{i}", "type", "veth", "peer", "name", "net0", "netns", str(pid))
            self.ip(hub, "link", "set", f"port{i}", "master", "hub", "up")
            self.ip(pid, "addr", "add", f"{NETWORK}{i}/24", "dev", "net0")
            self.ip(pid, "link", "set", "net0", "up")
        self.agent = self.folder / "agent"
        cases = "\n".join(f"{name}) pid={pid} ;;" for name, pid in self.pids.items())
        self.agent.write_text(AGENT.format(cases=cases), encoding="utf-8")
        self.agent.chmod(0o755)

    def hold(self, name, table):
        """Begins the process that a host is; its pid."""
        process = bounded.start(["unshare", "--net", "--uts", "--mount", "sh", "-c", HOST, name, str(table)], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.open.callback(release, process)
        if process.stdout.readline() != "ready\n":
            raise OSError(process.stderr.read().strip() or "the host did not begin")
        return process.pid

    @staticmethod
    def ip(pid, *words):
        done = bounded.run(["nsenter", "--target", str(pid), "--net", "ip", *words], READY_SECONDS, capture_output=True, text=True)
        if done.returncode != 0:
            raise OSError(f"ip {' '.join(words)}: {done.stderr.strip()}")

    def environment(self, preload=""):
        """For both launchers. Only the network between the hosts is used: over another one Open MPI may wait for ever. preload: what programs
        are to preload; wrong clocks come first."""
        network = f"{NETWORK}0/24"
        preloaded = clock_environment(self.clocks, preload) if self.clocks else {"LD_PRELOAD": preload} if preload else {}
        return {**preloaded, "OMPI_MCA_plm_rsh_agent": str(self.agent), "PRTE_MCA_plm_ssh_agent": str(self.agent),  # Open MPI 4, 5
                "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "tcp,self", "OMPI_MCA_btl_tcp_if_include": network,
                "OMPI_MCA_oob_tcp_if_include": network, "PRTE_MCA_prte_if_include": network, "PMIX_MCA_ptl_base_if_include": f"127.0.0.0/8,{network}"}

    def on(self, name, *words):
        """The words that run a command on a host, in the present folder."""
        return ["nsenter", "--target", str(self.pids[name]), "--net", "--uts", "--mount", "sh", "-c", 'cd "$0" && exec "$@"', os.getcwd(), *words]

    def launcher(self, flavour, mpiexec, ranks, *options):
        """The words before a program that is to run with as many ranks on each host, as if typed on the first one."""
        each = ranks // len(self.names)
        if flavour == "openmpi":
            # Open MPI 5 puts all on the first host, whatever slots it has, where it may oversubscribe and is not told how many go to each.
            where = ["--host", ",".join(f"{name}:{each}" for name in self.names), "--map-by", f"ppr:{each}:node:oversubscribe"]
        else:
            where = ["-launcher", "rsh", "-launcher-exec", str(self.agent), "-hosts", ",".join(f"{name}:{each}" for name in self.names)]
        return self.on(self.names[0], mpiexec, *where, *options, "-n", str(ranks))


def release(process):
    """Its input ends, and so does the host."""
    process.stdin.close()
    try:
        process.wait(timeout=READY_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()
    process.stderr.close()


def trouble():
    """Why there can be no simulated hosts here; None: there can."""
    missing = [tool for tool in ("unshare", "nsenter", "ip", "mount", "hostname") if not shutil.which(tool)]
    if missing:
        return f"simulated hosts need {', '.join(missing)}"
    if os.geteuid() != 0:
        return "simulated hosts need root"
    try:
        with Hosts(1):
            return None
    except OSError as error:
        return f"no simulated hosts here: {error}"
