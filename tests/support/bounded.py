"""Every child of a test is run with a limit. One that runs out of time is not just ended: where it and its descendants stand is
printed first, because what happens once in a thousand runs cannot be looked at again. Limits grow with the load of the machine.
A child ends with the test that started it, and a test ends with ctest: a campaign or a ctest that is killed leaves no ranks behind.

    bounded.py SECONDS COMMAND [ARGUMENT...]     ends as the command ends; 124 if it ran out of time
"""

import contextlib
import ctypes
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

FACTOR_MOST = 5  # ctest's own limit (CALLSIGN_TEST_LAST_RESORT) is above what comes of this
POLITE_SECONDS = 15
DEBUGGER_SECONDS = 30
SHOWN_MOST = 16
PR_SET_PDEATHSIG = 1  # sys/prctl.h

libc = ctypes.CDLL(None)


def end_with_parent():
    """The kernel sends this process SIGTERM when the thread that started it ends, however it ends."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


if os.environ.get("CS_TEST_ENDS_WITH_PARENT"):  # set by ctest; a campaign may outlive the shell that it was started from
    end_with_parent()


def start(command, **options):
    """subprocess.Popen, of a child that ends with this thread."""
    return subprocess.Popen(command, preexec_fn=end_with_parent, **options)


def factor(load=None, cores=None):
    """By how much longer everything takes while more want to run than there are processors."""
    load = os.getloadavg()[0] if load is None else load
    return min(max(1.0, load / (cores or os.cpu_count() or 1)), FACTOR_MOST)


def moments(seconds, pause=0.1):
    """For a loop that waits for something: goes round until so much time has passed, more on a busy machine, with pauses."""
    begin = time.monotonic()
    while time.monotonic() - begin < seconds * factor():
        yield
        time.sleep(pause)


def read(path):
    try:
        return pathlib.Path(path).read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    except OSError as error:
        return f"({error.strerror})"


def descendants(pid):
    """The process and all below it, parents first. Those that were handed to another parent are not found."""
    children = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        fields = read(folder / "stat").rpartition(")")[2].split()
        if len(fields) > 1:
            children.setdefault(int(fields[1]), []).append(int(folder.name))
    found = [pid]
    for each in found:
        found += sorted(children.get(each, []))
    return found


def begun(pid):
    """When it began: with its number that is the process, which may be another one under the same number later."""
    return read(f"/proc/{pid}/stat").rpartition(")")[2].split()[19:20]


def backtrace(pid):
    """A debugger's output for all threads; "" without debugger."""
    if shutil.which("gdb"):
        command = ["gdb", "-nx", "-batch", "-p", str(pid), "-ex", "set pagination off", "-ex", "thread apply all backtrace 40"]
    elif shutil.which("eu-stack"):
        command = ["eu-stack", "-p", str(pid)]
    else:
        return ""
    environment = {name: value for name, value in os.environ.items() if name not in ("LD_PRELOAD", "DEBUGINFOD_URLS", "PYTHONPATH")}
    try:
        return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", timeout=DEBUGGER_SECONDS, check=False).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)


def where(pid):
    """The stacks of a process and its descendants, as text."""
    lines = [f"load {os.getloadavg()} on {os.cpu_count()} processors"]
    for each in descendants(pid)[:SHOWN_MOST]:
        proc = f"/proc/{each}"
        lines.append(f"---- process {each}: {read(proc + '/cmdline').replace(chr(0), ' ')}")
        wanted = ("State:", "PPid:", "Threads:", "SigPnd:", "SigBlk:", "voluntary_ctxt_switches:", "nonvoluntary_ctxt_switches:")
        lines += [line for line in read(proc + "/status").splitlines() if line.startswith(wanted)]
        for task in sorted(pathlib.Path(proc, "task").glob("*")):
            lines.append(f"thread {task.name}: wchan {read(task / 'wchan')}; syscall {read(task / 'syscall')}; stack {read(task / 'stack')}")
        lines.append(backtrace(each))
    return "\n".join(lines)


def end(process):
    """Ends a process and what it started: first politely, so that a launcher takes its ranks along."""
    family = {pid: begun(pid) for pid in descendants(process.pid)}
    process.terminate()
    try:
        process.wait(timeout=POLITE_SECONDS)
    except subprocess.TimeoutExpired:
        pass
    for pid, when in family.items():
        if when and begun(pid) == when:
            with contextlib.suppress(OSError):  # gone meanwhile
                os.kill(pid, signal.SIGKILL)


def communicate(process, timeout, given=None):
    """process.communicate, with a limit that grows with the load. On expiry says on stderr where the process stands, ends it with its
    descendants, and raises subprocess.TimeoutExpired with what it had written."""
    begin = time.monotonic()
    while True:
        allowed = timeout * factor()
        try:
            return process.communicate(given, timeout=max(begin + allowed - time.monotonic(), 0.01))
        except subprocess.TimeoutExpired:
            given = None  # is on its way
            if time.monotonic() < begin + timeout * factor():
                continue
            spent = time.monotonic() - begin
        print(f"\nrun out of time after {spent:.0f} s: {process.args}\n{where(process.pid)}", file=sys.stderr, flush=True)
        end(process)
        try:
            output, error = process.communicate(timeout=POLITE_SECONDS)
        except subprocess.TimeoutExpired as expired:  # somebody else still holds its output
            output, error = (text.decode(errors="replace") if text and process.text_mode else text for text in (expired.output, expired.stderr))
        raise subprocess.TimeoutExpired(process.args, spent, output, error)


def run(command, timeout=60, check=False, capture_output=False, input=None, **options):
    """subprocess.run, bounded by communicate() above."""
    if capture_output:
        options.update(stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if input is not None:
        options["stdin"] = subprocess.PIPE
    process = start(command, **options)
    try:
        output, error = communicate(process, timeout, input)
    except BaseException:
        process.kill()
        process.wait()
        raise
    done = subprocess.CompletedProcess(process.args, process.returncode, output, error)
    if check:
        done.check_returncode()
    return done


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    try:
        code = run(sys.argv[2:], timeout=float(sys.argv[1])).returncode
    except subprocess.TimeoutExpired:
        code = 124
    sys.exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
