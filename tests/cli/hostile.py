"""Misbehaving bots: hostile.py MODE [LEGAL_TURNS].

Plays the first legal move for LEGAL_TURNS turns, then misbehaves in the way of MODE."""
import json
import mmap
import os
import signal
import sys
import time

mode = sys.argv[1]
legal_turns = int(sys.argv[2]) if len(sys.argv) > 2 else 0
out = sys.stdout.buffer


def say(data):
    out.write(data)
    out.flush()


def good(question):
    if "field" in question:
        return json.dumps({"cells": []}).encode() + b"\n"
    return json.dumps({"move": question["moves"][0]}).encode() + b"\n"


def forever():
    while True:
        time.sleep(1)


def eat(n_mib):
    """Allocates and writes a megabyte at a time."""
    return [os.urandom(1) * (1 << 20) for _ in range(n_mib)]


def leave_a_family():
    """A grandchild in its own session, for which no process waits."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for fd in range(3):
                os.close(fd)
            forever()
        os._exit(0)
    os.wait()


if mode == "joins the group of the arena":
    os.setpgid(0, os.getpgid(os.getppid()))
    forever()
if mode == "dies while its child holds on":
    if os.fork() == 0:
        forever()
    sys.exit(3)
if mode == "slow to start":
    time.sleep(1.2)
if mode == "does not read":
    forever()
if mode.startswith("leaves a family"):
    leave_a_family()
if mode == "leaves a family then waits":
    forever()
for turn, line in enumerate(sys.stdin):
    question = json.loads(line)
    if "error" in question:
        sys.exit(0)
    if "new_game" in question:
        continue
    answer = good(question)
    if mode == "answers twice":
        say(answer + b'{"move":[8,8,8,8]}\n')
    elif mode == "sends unknown keys":
        say(json.dumps(dict(json.loads(answer), note="hello", more=[1, 2])).encode() + b"\n")
    elif mode == "answers and ends":
        say(answer)
        sys.exit(0)
    elif mode == "without a newline":
        say(answer.strip())
        sys.exit(0)
    elif turn < legal_turns or mode in ("good", "leaves a family", "slow to start"):
        say(answer)
    elif mode == "never answers":
        forever()
    elif mode == "answers late":
        time.sleep(1.2)
        say(answer)
    elif mode == "eats memory":
        held = []
        while True:
            held += eat(16)
    elif mode == "eats shared memory":
        held = []
        while True:
            held.append(mmap.mmap(-1, 16 << 20))
            held[-1].write(bytes(16 << 20))
    elif mode == "eats memory in children":
        for _ in range(5):
            if os.fork() == 0:
                held = eat(60)
                forever()
        forever()
    elif mode == "forks without end":
        while True:
            try:
                os.fork()
            except OSError:
                forever()
    elif mode == "burns time":
        while True:
            pass
    elif mode == "ignores sigterm":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        forever()
    elif mode == "drips":
        for byte in answer * 100:
            say(bytes([byte]).replace(b"\n", b" "))
            time.sleep(0.05)
    elif mode == "stops itself":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif mode == "line without end":
        say(b" " * 200000)
        forever()
    elif mode == "gigabytes":
        while True:
            say(b"\n" * 65536 if turn % 2 else b"x" * 65536)
    elif mode == "closes its output":
        os.close(1)
        forever()
    elif mode == "exits":
        sys.exit(0)
    elif mode == "says much and exits with 7":
        sys.stderr.write("old log line\n" * 20000 + "the reason\n")
        sys.stderr.flush()
        os._exit(7)
    elif mode == "exits with 7":
        print("all is lost", file=sys.stderr)
        sys.exit(7)
    elif mode == "segfaults":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif mode == "floods stderr":
        while True:
            sys.stderr.write("x" * 65536)
    elif mode == "floods stderr and answers":
        sys.stderr.write("x" * 300000)
        sys.stderr.flush()
        say(answer)
    else:
        say({
            "nul after it": answer[:-1] + b"\0 more\n", "nul bytes": b'{"move":\0[1,1,1,2]}\n',
            "no utf 8": b'{"move":"\xff\xfe"}\n', "deep json": b"[" * 60000 + b"\n",
            "duplicate keys": answer[:-2] + b"," + answer[1:],
            "1e999": b'{"move":[1e999,1,1,1],"cells":[[1e999,0]]}\n',
            "negative": b'{"move":[-1,-1,-1,-1],"cells":[[-1,-1]]}\n',
            "huge": b'{"move":[99999999999,1,1,1],"cells":[[99999999999,99999999999]]}\n',
            "nothing": b"\n", "not json": b"hello\n", "no move": b"{}\n",
            "illegal": b'{"move":[1,1,8,8],"cells":[[0,0]]}\n'
        }[mode])
