"""The text that a terminal would show for a command."""
import os
import pty
import select
import subprocess

import bounded


def show(command, env, cwd, seconds):
    """The bytes that a terminal of unknown size gets, which is taken for one of 80 columns."""
    ours, theirs = pty.openpty()
    process = bounded.start([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env=env, cwd=cwd)
    os.close(theirs)
    shown = b""
    try:
        while select.select([ours], [], [], seconds * bounded.factor())[0]:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other side is closed
                break
            if not part:
                break
            shown += part
        bounded.communicate(process, seconds)
    finally:
        os.close(ours)
        if process.poll() is None:
            process.kill()
            process.wait()
    return shown.split(b"\r\x1b[K")[-1]  # drops the traces of a progress bar on a slow machine
