"""A real terminal for the tests: turf inside tmux, keys typed and the screen read."""
import os
import re
import shlex
import shutil
import subprocess
import time

from harness import TURF, Skip


class Screen:
    """A tmux session that runs turf or another program."""

    number = 0  # a server of its own for each, since one may still be closing

    def __init__(self, *args, rows=2000, columns=160, program=TURF):
        if not shutil.which("tmux"):
            raise Skip("tmux is not installed")
        Screen.number += 1
        self.socket = f"turf-test-{os.getpid()}-{Screen.number}"
        command = "env -u NO_COLOR TERM=screen " + shlex.join([program, *args
                                                               ]) + "; echo status $?; sleep 60"
        try:
            self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows),
                      command)
        except subprocess.CalledProcessError as why:  # as in a bare chroot, which has no terminals
            raise Skip(f"tmux cannot work here: {why.stderr.strip()}") from why

    def tmux(self, *args):
        done = subprocess.run(["tmux", "-L", self.socket, *args], capture_output=True, text=True,
                              timeout=20, check=True)
        return done.stdout

    def text(self):
        return self.tmux("capture-pane", "-p").rstrip("\n")

    def type(self, line, *keys):
        self.tmux("send-keys", "-l", line) if line else None
        self.tmux("send-keys", *(keys or ["Enter"]))

    def wait(self, pattern, patience=10):
        """Waits until the end of the screen matches."""
        begin = time.monotonic()
        while not re.search(pattern + r"\s*\Z", self.text()):
            assert time.monotonic(
            ) - begin < patience, f"no {pattern!r} at the end of:\n{self.text()[-2000:]}"
            time.sleep(0.02)
        return self.text()

    def answer(self, line, pattern, patience=20):
        """Types a line, and waits until the screen has changed and its end matches."""
        before = self.text()
        self.type(line)
        begin = time.monotonic()
        while self.text() == before or not re.search(pattern + r"\s*\Z", self.text()):
            assert time.monotonic(
            ) - begin < patience, f"no {pattern!r} after {line[:40]!r}:\n{self.text()[-2000:]}"
            time.sleep(0.02)
        return self.text()

    def close(self):
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], capture_output=True)
