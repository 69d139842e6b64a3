"""Files that nobody should hand in: archives, sources and bots that attack whoever opens, compiles
or starts them. Each has a name, a file name, its bytes, and what the sentence says that refuses it;
None where it may also be taken. A Contest tries them."""
import ctypes
import gzip
import hashlib
import io
import json
import os
import random
import stat
import struct
import subprocess
import tarfile
import time
import zipfile

from harness import TURF, turf

GOOD = b"""import json, sys
for line in sys.stdin:
    question = json.loads(line)
    if "moves" in question:
        print(json.dumps({"move": question["moves"][0]}), flush=True)
"""
PWNED = "turf-pwned"  # every file that would prove an escape is called like this


class Hostile:
    def __init__(self, name, file_name, data, says="", is_heavy=False):
        self.name, self.file_name, self.says, self.is_heavy = name, file_name, says, is_heavy
        self.data = data.encode() if isinstance(data, str) else data


# ---- archives ------------------------------------------------------------------------------------


def entry(name, **fields):
    info = tarfile.TarInfo("x")
    info.name = name
    for key, value in fields.items():
        setattr(info, key, value)
    return info


def tar(*members, mode="w", **more):
    """Of (name or TarInfo, bytes); a good bot comes first."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode, format=tarfile.GNU_FORMAT,
                      errors="surrogateescape", **more) as archive:
        for info, data in (("bot.py", GOOD), *members):
            info = info if isinstance(info, tarfile.TarInfo) else entry(info)
            if data is None:  # nothing but a head
                archive.addfile(info)
                continue
            if info.isreg() or info.type not in b"123456":
                info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def zipped(*members, method=zipfile.ZIP_DEFLATED, with_bot=True):
    """Of (name or ZipInfo, bytes)."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for info, data in ((("bot.py", GOOD),) if with_bot else ()) + members:
            archive.writestr(info, data)
    return out.getvalue()


def zip_link(name, target, mode=stat.S_IFLNK):
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = (mode | 0o777) << 16
    return (info, target)


PATHS = ["../" + PWNED, "../" * 9 + "tmp/" + PWNED, "a/../../" + PWNED, "/" + PWNED,
         "/tmp/" + PWNED,
         "/etc/" + PWNED, "a/./" + PWNED, "a//" + PWNED, "..", "a/..", "x\n.py", "\x1b]0;x\x07.py",
         "\u202eyp.tob", "a\\..\\" + PWNED, "C:\\" + PWNED, "x" * 300, "x" * 130 + ".py",
         "/".join("abcdefghijklmnop"), "\x7f.py", "bo\tt.py", "a/\r/b", "\u0085.py",
         "~/../../" + PWNED, "//" + PWNED]


def bad_paths():
    for path in PATHS:
        yield Hostile(f"tar with {path[:20]!r}", "bot.tar", tar((path, b"x")), "the name")
        # in a zip, C:\\x is x in the folder "C:", which is as good a name as any
        yield Hostile(f"zip with {path[:20]!r}", "bot.zip", zipped((path, b"x")),
                      None if path.startswith("C:") else "the name")
    yield Hostile("tar with a name that is no text", "bot.tar", tar(("a\udcff\udcfe", b"x")))
    yield Hostile("folder outside", "bot.tar",
                  tar((entry("../" + PWNED, type=tarfile.DIRTYPE), b"")), "the name")
    for twice in ("bot.py", "bot.py/x"):
        yield Hostile(f"{twice} twice", "bot.tar", tar((twice, b"x")), "twice")


def links():
    for kind, word in ((tarfile.SYMTYPE, "soft"), (tarfile.LNKTYPE, "hard")):
        for target in ("/etc/passwd", "../../x", "bot.py", "/proc/self/environ", ".", "/",
                       "a" * 90):
            yield Hostile(f"{word} link to {target[:12]}", "bot.tar",
                          tar((entry("link", type=kind, linkname=target), b"")), "is a link")
        yield Hostile(f"file through a {word} link", "bot.tgz",
                      tar((entry("d", type=kind, linkname="/tmp"), b""), ("d/" + PWNED, b"x"),
                          mode="w:gz"), "is a link")
    for target in ("/etc/passwd", "..", "bot.py", "/"):
        yield Hostile(f"zip with a link to {target}", "bot.zip", zipped(zip_link("link", target)),
                      "is a link")
    yield Hostile("zip with a file through a link", "bot.zip",
                  zipped(zip_link("d", "/tmp"), ("d/" + PWNED, b"x")), "is a link")


def devices():
    for kind, says in ((tarfile.FIFOTYPE, "is a pipe"), (tarfile.CHRTYPE, "is a device"),
                       (tarfile.BLKTYPE, "is a device")):
        for number in (0, 1, 8):
            yield Hostile(f"tar with {says[5:]} {number}", "bot.tar",
                          tar((entry("d", type=kind, devmajor=1, devminor=number), b"")), says)
    for mode, says in ((stat.S_IFIFO, "pipe"), (stat.S_IFCHR, "device"), (stat.S_IFSOCK, "socket")):
        yield Hostile(f"zip with a {says}", "bot.zip", zipped(zip_link("d", b"", mode)), None)
    for kind in b"7DMNSVXZ":
        yield Hostile(f"tar with type {chr(kind)}", "bot.tar",
                      tar((entry("d", type=bytes([kind])), b"x")), None)


def bombs():
    zeros = bytes(1 << 20)
    big = io.BytesIO()
    with zipfile.ZipFile(big, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bot.py", GOOD)
        with archive.open("zeros", "w", force_zip64=True) as out:
            for _ in range(300):
                out.write(zeros)
    yield Hostile("zip bomb", "bot.zip", big.getvalue(), "too large")
    yield Hostile("zip bomb of many files", "bot.zip",
                  zipped(*((f"z{i}", zeros) for i in range(80))), "too large")
    yield Hostile("tar bomb", "bot.tar.gz",
                  gzip.compress(tar(entry_of(zeros * 80)), compresslevel=1), "too large")
    yield Hostile("tar that claims to be huge", "bot.tar",
                  tar((entry("huge", size=1 << 40), None))[:2048], "too large")
    yield Hostile("sparse tar", "bot.tar", sparse(), "")
    yield Hostile("1e5 files", "bot.tar.gz",
                  gzip.compress(tar(*((f"f{i}", b"") for i in range(100000)))), "files")
    yield Hostile("1001 files in a zip", "bot.zip",
                  zipped(*((f"f{i}", b"") for i in range(1001))), "files")
    yield Hostile("1e4 folders", "bot.tgz", gzip.compress(
        tar(*((entry(f"d{i}", type=tarfile.DIRTYPE), b"") for i in range(10000)))), "files")
    nested = zipped((PWNED, zeros), with_bot=False)
    for _ in range(20):
        nested = zipped(("again.zip", nested), with_bot=False)
    yield Hostile("nested zips", "bot.zip", nested, "no bot in it")
    layers = tar()
    for _ in range(12):
        layers = gzip.compress(layers)
    yield Hostile("gzip in gzip", "bot.tar.gz", layers, None)
    yield Hostile("gzip of zeros", "bot.gz", gzip.compress(zeros * 200, 1))


def entry_of(data):
    return ("zeros", data)


def sparse():
    """A GNU sparse file of 8 GiB that takes no room."""
    head = bytearray(tar((entry("bot.bin", type=tarfile.GNUTYPE_SPARSE), b"")))
    at = head.find(b"bot.bin")
    head[at + 483:at + 495] = b"100000000000"
    head[at + 148:at + 156] = b" " * 8
    head[at + 148:at + 156] = b"%06o\0 " % sum(head[at:at + 512])
    return bytes(head)


def damage():
    originals = (("bot.zip", zipped(("more.py", random.Random(1).randbytes(3000)))),
                 ("bot.tar", tar(("more.py", random.Random(2).randbytes(3000)))),
                 ("bot.tar.gz", gzip.compress(tar(("m", random.Random(3).randbytes(3000))))))
    for file_name, data in originals:
        for part in range(1, 9):
            yield Hostile(f"{file_name} cut at {part}/9", file_name,
                          data[:len(data) * part // 9], None)
    chance = random.Random(4)
    for number in range(24):
        file_name, data = originals[number % 3]
        data = bytearray(data)
        for _ in range(1 + number % 5):
            data[chance.randrange(len(data))] = chance.randrange(256)
        yield Hostile(f"{file_name} changed {number}", file_name, bytes(data), None)
    coded = bytearray(zipped())
    for magic, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        coded[coded.find(magic) + at] |= 1
    yield Hostile("encrypted zip", "bot.zip", bytes(coded), "encrypted")
    lying = bytearray(zipped())
    at = lying.find(b"PK\1\2")
    lying[at + 24:at + 28] = struct.pack("<I", 0xfffffff0)
    yield Hostile("zip that lies about sizes", "bot.zip", bytes(lying), None)


def other_kinds():
    for file_name, data in (("a.pdf", b"%PDF-1.4"), ("a.png", b"\x89PNG\r\n\x1a\n" + bytes(99)),
                            ("a.exe", b"MZ" + bytes(200)), ("a.html", b"<script>alert(1)</script>"),
                            ("a.7z", b"7z\xbc\xaf'\x1c" + bytes(99)), ("a.xz", b"\xfd7zXZ\0"),
                            ("a.rar", b"Rar!\x1a\7\0"), ("bot", b"text"), ("bot.tar", b"no tar"),
                            ("bot.zip", b"no zip"), ("bot.zip", b"PK\5\6" + bytes(18)),
                            ("nothing.txt", b"x"), ("bot.py.exe", GOOD)):
        yield Hostile(f"{file_name} {data[:6]!r}", file_name, data)


# ---- sources -------------------------------------------------------------------------------------

C = "#include <stdio.h>\n%s\nint main(void) { return 0; }\n"


def sources():
    for path in ("/etc/passwd", "/etc/shadow", "/root/.ssh/id_rsa", "/proc/self/environ",
                 "/proc/1/environ", "/tmp/../etc/passwd", "../../../../etc/passwd", "/dev/null",
                 "/run/secrets", "/home", "/sys/kernel/notes", "/dev/stdin", "/proc/kcore"):
        yield Hostile(f"C that includes {path}", "bot.c", C % f'#include "{path}"',
                      "" if path.startswith(("/dev", "/proc")) else "it cannot be built")
    yield Hostile("C that includes /dev/zero", "bot.c", C % '#include "/dev/zero"', is_heavy=True)
    yield Hostile("C that includes /dev/urandom", "bot.c", C % '#include "/dev/urandom"',
                  is_heavy=True)
    yield Hostile("C that includes itself", "bot.c", "#include __FILE__\n#include __FILE__\n",
                  "it cannot be built")
    for path in ("/etc/passwd", "/etc/shadow", "/dev/zero"):
        yield Hostile(f"assembler that includes {path}", "bot.c",
                      C % f'__asm__(".incbin \\"{path}\\"");',
                      "it cannot be built", is_heavy=path == "/dev/zero")
    yield Hostile("assembler bomb", "bot.c",
                  C % '__asm__(".rept 1000000000\\n.quad 0\\n.endr");', is_heavy=True)
    yield Hostile("assembler that skips", "bot.c", C % '__asm__(".data\\n.skip 1000000000, 1");')
    yield Hostile("huge array", "bot.c", C % "char x[1l << 31] = {1};")
    yield Hostile("flood of warnings", "bot.c",
                  C % "\n".join(f"#warning {'x' * 60} {i}" for i in range(20000)) + "#error end\n")
    yield Hostile("control characters in errors", "bot.c", C % "#error \x1b[31m\u202e\x07")
    yield Hostile("macro bomb", "bot.c", C % ("#define A0 1+\n" + "".join(
        f"#define A{i} " + f"A{i - 1} " * 10 + "\n" for i in range(1, 11)) + "int x = A10 0;"),
        is_heavy=True)
    yield Hostile("template bomb", "bot.cpp", "template<int N> struct A { A<N + 1> a; };\nA<0> a;\n"
                  "int main() {}\n", "it cannot be built")
    yield Hostile("wide template bomb", "bot.cpp",
                  "template<int N, int M> struct A { static const long x = A<N - 1, 2 * M>::x +"
                  " A<N - 1, 2 * M + 1>::x; };\ntemplate<int M> struct A<0, M> { static const long"
                  " x = 1; };\nint main() { return A<25, 0>::x; }\n", is_heavy=True)
    yield Hostile("constexpr bomb", "bot.cpp",
                  "constexpr int f() { int x = 0; for (;;) x ^= 1; return x; }\n"
                  "constexpr int y = f();\nint main() {}\n", "it cannot be built")
    yield Hostile("Java that is too large", "Bot.java", "public class Bot { static int[] a = {"
                  + "1," * 20000 + "}; public static void main(String[] a) {} }", "cannot be built")
    yield Hostile("Java without main", "Bot2.java", "class Bot2 {}")
    yield Hostile("Java in a strange package", "Bot.java",
                  "package ../../x;\npublic class Bot { public static void main(String[] a) {} }")
    yield Hostile("Python with a syntax error", "bot.py", "def f(:\n", "it cannot be built")
    yield Hostile("Python in Python", "bot.py", "(" * 10000)
    yield Hostile("Python with NULs", "bot.py", bytes(1000))
    yield Hostile("JavaScript with a syntax error", "bot.js", "function (", "it cannot be built")
    yield Hostile("C with a link error", "bot.c", "int x;\n", "it cannot be built")
    yield Hostile("C with the name of an option", "bot.zip",
                  zipped(("-o.c", b"int main(){}"), ("@x.c", b""), with_bot=False), None)
    yield Hostile("two bots", "bot.zip", zipped(("a.py", b""), ("b.c", b""), with_bot=False),
                  "not clear")


RUN = "#!/bin/sh\nexec python3 bot.py\n"


def built(script, run=RUN):
    return zipped(("run", run), ("build", script))


def scripts():
    """A script "build" may do anything, in its sandbox."""
    places = f"""for f in / /tmp/.. /etc /usr /usr/bin /var/tmp /root /home /dev /proc/sys/kernel \\
        /sys ../../.. /dev/shm $OLDPWD; do echo x > $f/{PWNED}; mkdir $f/{PWNED}.d; done
echo '|/tmp/x' > /proc/sys/kernel/core_pattern; touch /usr/bin/env; rm -rf /usr /etc"""
    for name, script, says in (
            ("writes everywhere", places, None),
            ("fails", "exit 3", "it cannot be built"),
            ("kills everything", "kill -9 -1; sleep 1; exit 1", "it cannot be built"),
            ("kills its parent", "kill -9 $PPID; sleep 5", "it cannot be built"),
            ("leaves a daemon", "setsid sleep 1000 </dev/null >/dev/null 2>&1 &", None),
            ("removes the bot", "rm -rf ./*", "it cannot be built"),
            ("makes the bot a link", "rm run; ln -s /etc/passwd run", "it cannot be built"),
            ("makes the bot a folder", "rm run; mkdir run", "it cannot be built"),
            ("makes the bot a pipe", "rm run; mkfifo run", "it cannot be built"),
            ("makes links", "ln -s / root; ln -s /etc/passwd p; ln run q", None),
            ("makes 3000 files", "for i in $(seq 3000); do : > f$i; done", "it cannot be built"),
            ("makes a file of 65 MiB", "head -c 68157440 /dev/zero > big", "it cannot be built"),
            ("makes two of 40 MiB", "for i in 1 2; do head -c 41943040 /dev/zero > $i; done",
             "it cannot be built"),
            ("fills the disk", "i=0; while head -c 60000000 /dev/zero > $i; do i=$((i+1)); done",
             "it cannot be built"),
            ("makes deep folders", "for i in $(seq 40); do mkdir d; cd d; : > f; done", None),
            ("makes strange names", "touch \"$(printf 'a\\nb')\" \"$(printf '\\033[31m')\" -- -x",
             None),
            ("makes it unreadable", "chmod 000 run bot.py", None),
            ("asks for the network", "python3 -c \"import socket; socket.create_connection("
             "('192.0.2.1', 80), 5)\"", "it cannot be built"),
            ("reads secrets", "cat /etc/shadow /root/.ssh/* /home/*/.ssh/*; exit 1",
             "it cannot be built"),
            ("tampers with the bundle", "for p in /proc/[0-9]*; do printf 'f\\1\\4\\0\\1\\0\\0\\0"
             "../xx' > $p/fd/1; done", None),
            ("claims another recipe", "for p in /proc/[0-9]*; do printf 'r\\1\\1\\0\\1\\0\\0\\0shx'"
             " > $p/fd/1; done", None),
            ("ends the bundle", "for p in /proc/[0-9]*; do printf 'e\\1\\0\\0\\0\\0\\0\\0' >"
             " $p/fd/1; done", None),
            ("makes users", "unshare -rm sh -c 'mount -t tmpfs x /usr' && exit 1", None),
            ("mounts", "mount -t tmpfs x /usr && exit 1", None),
            ("traces", "for p in 1 $PPID; do cat /proc/$p/mem; done; exit 1", "it cannot be built"),
            ("floods", "yes | head -c 50000000; exit 1", "it cannot be built")):
        yield Hostile(f"build: {name}", "bot.zip", built(script), says)
    for name, script in (("forks", "f() { f | f & }; f; sleep 60"),
                         ("takes memory", "python3 -c \"x = []\nwhile True: x.append(bytearray(1 <<"
                          " 24))\""),
                         ("never ends", "while :; do :; done"), ("sleeps", "sleep 1000"),
                         ("floods without end", "yes")):
        yield Hostile(f"build: {name}", "bot.zip", built(script), "it cannot be built",
                      is_heavy=True)


# ---- bots ----------------------------------------------------------------------------------------

START = "import json, os, signal, socket, subprocess, sys, time\n"
TURN = "for line in sys.stdin:\n    q = json.loads(line)\n    m = q.get('moves')\n    "
MOVE = "print(json.dumps({'move': m[0]}), flush=True)\n"


def bots():
    for name, code in (
            ("never answers", "time.sleep(1000)\n"), ("never reads", "signal.pause()\n"),
            ("ends at once", "\n"), ("crashes", "1/0\n"), ("exits with 3", "sys.exit(3)\n"),
            ("kills itself", "os.kill(os.getpid(), 9)\n"), ("closes its output", "os.close(1)\n"
                                                            "time.sleep(1000)\n"),
            ("floods", "while True: print('x' * 1000)\n"),
            ("floods a line", "while True: sys.stdout.write('x' * 65536)\n"),
            ("floods its errors", "while True: sys.stderr.write('x' * 65536)\n"),
            ("answers garbage", TURN + "print('}{', flush=True)\n"),
            ("answers bytes", TURN + "os.write(1, bytes(range(256)) + b'\\n')\n"),
            ("cheats", TURN + "print(json.dumps({'move': 'Z99'}), flush=True)\n"),
            ("answers twice", TURN + MOVE + "    " + MOVE),
            ("trickles", TURN + "[(os.write(1, b' '), time.sleep(0.05)) for _ in range(10000)]\n"),
            ("ignores signals and the end",
             "[signal.signal(s, signal.SIG_IGN) for s in range(1, 32)"
             " if s not in (9, 19)]\n" + TURN + MOVE + "time.sleep(1000)\n"),
            ("says control characters", "sys.exit('\\x1b[31m\\u202e\\x07')\n"),
            ("leaves", "os.fork() and os._exit(0)\nos.setsid()\nos.fork() and os._exit(0)\n"
             "time.sleep(1000)\n"),
            ("kills all", "os.kill(-1, 9)\n"), ("kills its parent", "os.kill(os.getppid(), 9)\n"
                                                "time.sleep(1)\nsys.exit(1)\n"),
            ("connects", "socket.create_connection(('192.0.2.1', 80), 5)\n"),
            ("reads secrets", "sys.exit(open('/etc/shadow').read())\n"),
            ("changes itself", "open('bot.py', 'w')\n"),
            ("looks for rivals", "sys.exit(str(os.listdir('..')))\n"),
            ("forks a thousand", "[os.fork() for _ in range(10)]\ntime.sleep(1000)\n"),
            ("takes memory", "x = []\nwhile True: x.append(bytearray(1 << 24))\n"),
            ("fills the disk", "f = open('/tmp/x', 'wb')\nwhile True: f.write(bytes(1 << 20))\n")):
        yield Hostile(f"bot: {name}", "bot.py", START + code, "a check failed")
    yield Hostile("bot: writes everywhere", "bot.py",
                  START + "for f in ('/', '/tmp', '/etc', '/usr', '/var/tmp', '/root', '/home',"
                  " '.', '..', '../..', '/dev', '/dev/shm', '/proc'):\n"
                  f"    try: open(f + '/{PWNED}', 'w').write('x')\n"
                  "    except OSError: pass\n" + TURN + "m and " + MOVE, None)
    for first in ("#!/bin/sh\r\n", "#!/nonexistent\n", "#!\n", "#!/bin/false\n",
                  "#!/bin/sh\nwhile :; do :; done\n", "#!/bin/sh\nyes\n", "\x7fELF" + "\0" * 60):
        yield Hostile(f"run: {first[:24]!r}", "run", first, "a check failed")


def names():
    for name in ("../../x.py", "-c", "-.py", "a;touch " + PWNED + ";.py",
                 "$(touch " + PWNED + ").py",
                 "`id`.c", " .py", "x" * 200 + ".py", "a'b\".py", "%s%n.py", "\u202eyp.tob",
                 "bot\x1b.py", "..", ".py", "*.py", "bot.py\\..\\x.py"):
        yield Hostile(f"file name {name[:30]!r}", name, GOOD, None)


FAMILIES = (bad_paths, links, devices, bombs, damage, other_kinds, sources, scripts, bots, names)


def all_files():
    return [each for family in FAMILIES for each in family()]


# ---- trying them ---------------------------------------------------------------------------------


def adopt():
    """What comes loose from the programs that we start becomes our child, and is seen."""
    pr_set_child_subreaper = 36
    assert ctypes.CDLL(None).prctl(pr_set_child_subreaper, 1, 0, 0, 0) == 0


def children():
    found = []
    for task in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{task}/children") as file:
            found += file.read().split()
    return found


class Contest:
    """A league with a good bot, and surroundings that must not change."""

    def __init__(self, folder):
        self.folder, self.cup, self.n_files = folder, os.path.join(folder, "cup.db"), 0
        self.incoming = os.path.join(folder, "incoming")
        os.makedirs(os.path.join(folder, "beside", "secret"))
        os.mkdir(self.incoming)
        for name in ("beside/secret/key", "beside/file", "turf.conf"):
            with open(os.path.join(folder, name), "w") as file:
                file.write("nobody changes this")
        turf("league", "new", self.cup, "squirrel-war", "--move-cap", "1000", "--bot-memory", "256",
             "--bot-processes", "64", "-q")
        self.before = self.surroundings()
        adopt()

    def surroundings(self):
        """All that lies around the league, with its content, and what lies in the usual places."""
        seen = {}
        for path, _, files in os.walk(self.folder):
            if path.startswith((self.cup + ".bots", self.incoming)):
                continue
            for name in files:
                file = os.path.join(path, name)
                if not file.startswith(self.cup):
                    with open(file, "rb") as content:
                        seen[file] = (hashlib.sha256(content.read()).digest(),
                                      os.stat(file).st_mode)
        for place in ("/", "/tmp", "/var/tmp", "/etc", "/usr", "/usr/bin", "/root", "/home", "/dev",
                      "/dev/shm", os.path.expanduser("~"), os.getcwd()):
            if os.path.isdir(place) and os.access(place, os.R_OK):
                seen.update((os.path.join(place, name), None)
                            for name in os.listdir(place) if PWNED in name)
        return seen

    def bots(self):
        """The folders of bots that were taken."""
        folder = self.cup + ".bots"
        return sorted(set(os.listdir(folder)) - {"lock"}) if os.path.isdir(folder) else []

    def hand_in(self, file_name, data, team="anna", timeout=150):
        """The submission, as JSON."""
        self.n_files += 1
        place = os.path.join(self.incoming, str(self.n_files))
        os.mkdir(place)
        path = os.path.join(place, file_name.replace("/", "_") or "_")
        if file_name in (".", ".."):
            path = os.path.join(place, "dots")
        with open(path, "wb") as file:
            file.write(data)
        done = subprocess.run([TURF, "league", "submit", self.cup, team, path, "--json"],
                              capture_output=True, timeout=timeout)
        assert done.returncode in (0, 1), (file_name, done.returncode, done.stderr[-500:])
        submission = json.loads(done.stdout)
        assert (submission["status"] == "accepted") == (done.returncode == 0), submission
        return submission

    def check_nothing_changed(self, what):
        for _ in range(200):
            if not children():
                break
            time.sleep(0.01)
            try:  # what has ended meanwhile is ours to reap
                os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                break
        assert not children(), (what, children())
        assert self.surroundings() == self.before, what
        assert not [name for name in self.bots() if name.startswith("draft")], (what, self.bots())

    def try_one(self, hostile):
        """Hands it in; returns its sentence, or None if it was taken."""
        submission = self.hand_in(hostile.file_name, hostile.data)
        self.check_nothing_changed(hostile.name)
        sentence = submission["sentence"]
        if submission["status"] == "accepted":
            assert hostile.says is None, (hostile.name, "was taken")
            return None
        assert submission["status"] == "refused" and sentence, (hostile.name, submission)
        assert sentence.isprintable() and len(sentence) < 700, (hostile.name, sentence)
        assert (hostile.says or "") in sentence, (hostile.name, sentence)
        assert submission["steps"][-1]["status"] in ("failed", "waiting"), submission
        for step in submission["steps"]:
            text = step["text"].replace("\n", "").replace("\t", "")
            assert text.isprintable() and len(step["text"]) <= 32 << 10, (hostile.name, step)
        for secret in ("root:x:0", "root:*:", "root:$", "nobody changes this"):
            assert secret not in json.dumps(submission), (hostile.name, submission)
        return sentence
