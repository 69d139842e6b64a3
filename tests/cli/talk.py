"""A conversation with turf play, through pipes or through a terminal, and its boards read back."""
import fcntl
import os
import re
import select
import signal
import subprocess
import termios
import time

import harness

PROMPT = re.compile(r"(?:^|\n)(blue|red)> $")


def take_terminal():
    """In the child: a session of its own with the terminal in charge, so that Ctrl-C is a
    signal."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def wait_for_editing(terminal):
    """libedit shows the prompt, and only then takes the terminal out of its line mode, in which a
    control character means something else. Waits for that; a turf without libedit never does it."""
    limit = time.monotonic() + 2
    while termios.tcgetattr(terminal)[3] & termios.ICANON and time.monotonic() < limit:
        time.sleep(0.01)


class Talk:
    def __init__(self, *args, terminal=False, env=None):
        command = [harness.TURF, "play", "wol", *args]
        if terminal:
            ours, theirs = harness.open_terminal()
            self.process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs,
                                            env=env, preexec_fn=take_terminal)
            os.close(theirs)
            self.reader = self.writer = ours
        else:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.PIPE, env=env)
            self.reader, self.writer = self.process.stdout.fileno(), self.process.stdin.fileno()
        self.everything = ""

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        if self.process.stdin:
            for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
                try:
                    pipe.close()
                except OSError:
                    pass
        else:
            os.close(self.reader)

    def read(self):
        """The output up to the next prompt or the end, without the prompt."""
        text, limit = "", time.monotonic() + 30
        while not PROMPT.search(text):
            ready, _, _ = select.select([self.reader], [], [], max(0, limit - time.monotonic()))
            assert ready, f"no prompt after: {text[-2000:]!r}"
            try:
                data = os.read(self.reader, 65536)
            except OSError:  # how a terminal ends
                data = b""
            if not data:
                break
            text += data.decode("utf-8", "replace").replace("\r\n", "\n")
        self.everything += text
        self.prompt = PROMPT.search(text).group(1) if PROMPT.search(text) else None
        return text[:text.rindex(self.prompt)] if self.prompt else text

    def say(self, line):
        data = line if isinstance(line, bytes) else line.encode()
        os.write(self.writer, data + b"\n")
        return self.read()

    def leave(self):
        """Waits for the process to end; returns the exit status."""
        return self.process.wait(timeout=10)


def boards(text):
    """The boards drawn in a text, in their order; a drawn move gives two, before and after the
    crank."""
    found, lines = [], text.split("\n")
    for i, line in enumerate(lines):
        n_boards = line.count("1 2 3 4 5 6 7 8")
        rows = [re.findall(r"\d((?: [.bBrR]){8})", row) for row in lines[i + 1:i + 9]]
        if n_boards and len(rows) == 8 and all(len(row) == n_boards for row in rows):
            for k in range(n_boards):
                found.append([row[k].replace(" ", "").lower() for row in rows])
    return found


def plain(text):
    """Without colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
