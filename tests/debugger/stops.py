"""Sourced by gdb, with $times and $seed set: stops the program of holding.c by chance, and compares what is shown with what it believes."""

import os
import random
import signal
import threading

import gdb
import held
from callsign_debugger.gdb_memory import memory, needed


def printed(place, one):
    """The output of gdb for the program's own variable."""
    list_ = "comms" if one.kind == 1 else "types"
    return gdb.parse_and_eval(f"main::makers[{place // 32}].{list_}[{place % 32}]").format_string()


def run_for(seconds):
    threading.Timer(seconds, os.kill, (gdb.selected_inferior().pid, signal.SIGINT)).start()
    gdb.execute("continue", to_string=True)


def campaign(times, seed):
    chance = random.Random(seed)
    belief = None
    for _ in range(times):
        run_for(chance.uniform(0.0005, 0.01))
        table = needed()
        belief = belief or held.Belief(memory)
        everything = belief.all()
        belief.check_stopped(table)
        for place, one in enumerate(everything):
            if one.state == held.LIVES and one.doing in (held.AT_REST, held.NAMING) and chance.random() < 0.2:
                belief.check(one, everything, printed(place, one))
    print(f"gdb, seed {seed}: {belief.told()}")


campaign(int(gdb.convenience_variable("times")), int(gdb.convenience_variable("seed")))
