"""Output: help, JSON, full disks, closed pipes, signals."""
import json
import os
import re
import signal
import subprocess
import tempfile
import threading
import time

import harness
from harness import one_line, refused, turf

TALKERS = [["help"], ["help", "match"], ["--version"], ["games"], ["games", "--json"],
           ["match", "wol", "random", "random", "-n", "5"],
           ["match", "wol", "random", "random", "-n", "5", "--json"],
           ["tournament", "wol", "-n", "2"], ["perft", "wol", "1"],
           ["play", "wol", "random", "random"], ["play", "wol"],
           ["play", "wol", "random", "random", "--quiet"], ["worksheet", "-n", "10", "--quiet"]]


def commands():
    """The names of the commands, as help lists them."""
    return [line.split()[1] for line in turf("help").out.splitlines() if line.startswith("  turf ")]


def test_help_goes_to_standard_output_and_lists_every_command():
    assert turf("help").err == ""
    assert set(commands()) >= {"games", "play", "match", "tournament", "worksheet", "step",
                               "choose", "perft", "help"}
    for other in ("--help", "-h"):
        assert turf(other).out == turf("help").out


def test_all_forms_of_help_for_a_command_agree():
    for name in commands():
        text = turf("help", name).out
        assert f"turf {name}" in text
        assert turf(name, "--help").out == turf(name, "-h").out == text


def test_every_listed_option_is_accepted():
    for name in commands():
        for option in re.findall(r"^  (?:-\w, |    )(--[a-z-]+)", turf("help", name).out,
                                 re.MULTILINE):
            # An option with a value takes the next word as its value; the second --help asks for
            # help.
            assert f"turf {name}" in turf(name, option, "2", "--help", "--help").out


def test_version_is_one_line():
    for option in ("--version", "-V"):
        assert one_line(turf(option).out).split()[0] == "turf"


def test_games_lists_the_games_the_starts_and_the_players():
    (game,) = [game for game in json.loads(turf("games", "--json").out)
               if game["name"] == "war-of-life"]
    text = turf("games").out
    for item in game["starts"] + game["players"]:
        assert item["name"] in text
    for start in game["starts"]:
        turf("match", "wol", "random", "random", "-n", "1", "--start", start["name"])
    for player in game["players"]:
        if player["name"] not in ("human", "bot", "tcp", "level"):  # which want to know more
            turf("match", "wol", player["name"], "random", "-n", "1")


def test_every_json_output_parses():
    for args in (["games"], ["match", "wol", "random", "random", "-n", "3"],
                 ["tournament", "wol", "-n", "2"]):
        json.loads(turf(*args, "--json").out)
    for line in turf("perft", "wol", "2", "--json").out.splitlines():
        json.loads(line)


def test_names_that_are_not_utf_8_are_rejected_or_kept():
    for args in (["match", "wol", b"\xff=random", "random"],
                 ["tournament", "wol", b"\xff=random", "random"]):
        done = subprocess.run([harness.TURF, *args, "-n", "3", "--json"], capture_output=True,
                              timeout=20)
        if done.returncode == 2:
            one_line(done.stderr.decode("utf-8", "replace"))
            continue
        result = json.loads(done.stdout.decode("utf-8", "replace"))
        assert len(result["pairings"]) == 4 if args[0] == "tournament" else result["games"] == 3


def test_names_with_quotes_and_accents_survive_json():
    name = 'a"b\\c \u00e9\u20ac'
    assert json.loads(turf("match", "wol", name + "=random", "random", "-n", "2",
                           "--json").out)["players"][0] == name


def test_full_disk_on_standard_output_is_one_line():
    for args in TALKERS:
        with open("/dev/full", "wb") as full:
            refused(*args, stdout=full, saying="No space left")


def test_closed_standard_output_is_one_line():
    for args in TALKERS:
        done = subprocess.run(["/bin/sh", "-c", 'exec "$0" "$@" >&-', harness.TURF, *args],
                              stdin=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=30)
        assert done.returncode == 2, args
        one_line(done.stderr.decode())


def test_closed_pipe_ends_turf_silently():
    for args in TALKERS:
        reader, writer = os.pipe()
        os.close(reader)
        assert turf(*args, stdout=writer, status=-signal.SIGPIPE).err == ""
        os.close(writer)


def test_pipe_closed_in_mid_stream_ends_step_silently():
    lines = (json.dumps({"board": ["........"] * 8}) + "\n") * 20000
    reader, writer = os.pipe()
    with subprocess.Popen([harness.TURF, "step", "wol"], stdin=subprocess.PIPE, stdout=writer,
                          stderr=subprocess.PIPE) as process:
        os.close(writer)
        threading.Thread(target=lambda: (os.read(reader, 10), os.close(reader))).start()
        _, err = process.communicate(lines.encode(), timeout=20)
    assert process.returncode == -signal.SIGPIPE and err == b"", err


def test_unwritable_output_file_is_one_line():
    for path in ("/dev/full", "/nosuch/folder/x.md", "/", "", "/dev/null/nosuch"):
        refused("worksheet", "-n", "10", "--quiet", "-o", path)


def test_output_file_never_replaces_a_database():
    with tempfile.TemporaryDirectory() as folder:
        games, other = os.path.join(folder, "games.db"), os.path.join(folder, "other.db")
        for path in (games, other):
            turf("match", "wol", "random", "random", "-n", "2", "--db", path)
        with open(games, "rb") as file:
            before = file.read()
        open(games + "-wal", "wb").close()
        for name in (games, games + "-wal"):
            for args in (["report", "--db", games], ["report", "--db", other],
                         ["export", "--db", games],
                         ["worksheet", "-n", "10", "--quiet", "--format", "html"]):
                refused(*args, "-o", name, saying=["is a database", name])
        with open(games, "rb") as file:
            assert file.read() == before
        assert not [name for name in os.listdir(folder) if name.endswith(".new")]


def test_full_disk_leaves_the_old_output_file():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sheet.md")
        with open(path, "w") as file:
            file.write("old")
        # A file size limit stands for a full disk.
        done = subprocess.run(["/bin/sh", "-c", 'ulimit -f 1; exec "$0" "$@"', harness.TURF,
                               "worksheet", "-n", "10",
                               "--quiet", "-o", path], stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=60)
        assert done.returncode == 2, done.stderr
        one_line(done.stderr.decode())
        with open(path) as file:
            assert file.read() == "old"
        assert os.listdir(folder) == ["sheet.md"]


def test_file_size_limit_is_one_line_and_applies_to_bots_as_usual():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "games.db")
        big = [harness.TURF, "match", "wol", "random", "random", "-n", "2", "--db", path]
        for n_blocks in (0, 2, 40):
            done = subprocess.run(["/bin/sh", "-c", f'ulimit -f {n_blocks}; exec "$0" "$@"', *big],
                                  stdin=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, timeout=60)
            assert done.returncode == 2, done
            assert "ulimit -f" in one_line(done.stderr.decode()), done
            for name in os.listdir(folder):
                os.remove(os.path.join(folder, name))
        ends_by_it = f"bot:/bin/sh -c 'ulimit -f 1; exec head -c 9999 /dev/zero > {folder}/zeros'"
        row = turf("match", "wol", ends_by_it, "random", "-n", "1", "--sandbox", "off", "--db",
                   "none", "--json")
        assert f"signal {signal.SIGXFSZ.value}" in row.err, row.err


def interrupted(*args, after=0.6, number=signal.SIGINT, patience=20):
    """Starts a long run, interrupts it, and returns what it printed."""
    with subprocess.Popen([harness.TURF, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        harness.wait_until_it_heeds(process, number)
        time.sleep(after)
        assert process.poll() is None, "it was over too soon to interrupt"
        process.send_signal(number)
        begin = time.monotonic()
        try:
            out, err = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            process.kill()
            raise AssertionError(f"still running {time.monotonic() - begin:.1f} s after the signal")
    assert process.returncode == 130, process.returncode
    assert "interrupted" in one_line(err.decode())
    return json.loads(out), err.decode()


def test_ctrl_c_ends_a_long_match_with_interim_results():
    for players in (["random", "random"], ["minimax", "minimax"]):
        result, message = interrupted("match", "wol", *players, "-n", "1000000000", "--json")
        assert 0 < result["games"] < 1000000000
        assert result["games"] == sum(result["wins"]) + result["draws"]
        assert f" {result['games']} of 1000000000 games" in message


def test_ctrl_c_ends_a_long_tournament_with_interim_results():
    result, message = interrupted("tournament", "wol", "-n", "1000000", "--json", "--jobs", "2")
    n_played = sum(row["games"] for row in result["pairings"])
    assert 0 < n_played and f" {n_played} of 25000000 games" in message


def test_ctrl_c_does_not_wait_for_the_end_of_a_deep_game():
    result, _ = interrupted("match", "wol", "minimax:depth=9", "minimax:depth=9", "-n", "2",
                            "--json", "--quiet", "--start", "cross")
    assert result["games"] < 2


def test_signals_end_a_long_table():
    names = [f"player-{i}=random" for i in range(60)]
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with subprocess.Popen([harness.TURF, "tournament", "wol", *names, "-n", "1", "--db",
                               "none"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE,
                              preexec_fn=lambda: signal.signal(signal.SIGHUP,
                                                               signal.SIG_DFL)) as process:
            assert process.stdout.read(1)  # more follows than a pipe holds, and nobody reads it
            process.send_signal(number)
            assert process.wait(60) == -number


def worksheet_without_end(folder, hangup):
    """Writes to w.md in the folder, when it is done; `hangup` is what its parent does about
    SIGHUP."""
    return subprocess.Popen([harness.TURF, "worksheet", "-n", "1000000", "-o",
                             os.path.join(folder, "w.md")], stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                            preexec_fn=lambda: signal.signal(signal.SIGHUP, hangup))


def test_nohup_is_respected_by_commands_that_write_a_file():
    if not os.path.exists("/proc/self/status"):
        raise harness.Skip("there is no telling what a program does with a signal")
    with tempfile.TemporaryDirectory() as folder:
        for hangup, is_heeded in ((signal.SIG_DFL, True), (signal.SIG_IGN, False)):
            with worksheet_without_end(folder, hangup) as process:
                while not os.listdir(folder):
                    assert process.poll() is None
                    time.sleep(0.01)
                harness.wait_until_it_heeds(process, signal.SIGTERM)
                with open(f"/proc/{process.pid}/status") as status:
                    caught = next(line for line in status if line.startswith("SigCgt")).split()[1]
                process.send_signal(signal.SIGTERM)
                assert process.wait(60) == 130
            assert (int(caught, 16) >> (signal.SIGHUP - 1) & 1) == is_heeded
            assert os.listdir(folder) == []


def test_two_signals_in_a_row_leave_no_partial_file():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with tempfile.TemporaryDirectory() as folder, \
                worksheet_without_end(folder, signal.SIG_DFL) as process:
            while not os.listdir(folder):
                assert process.poll() is None
                time.sleep(0.01)
            process.send_signal(number)
            process.send_signal(number)
            assert process.wait(60) in (130, -number) and os.listdir(folder) == []


def test_run_too_large_for_memory_is_rejected_or_starts():
    names = [f"p{i}=random" for i in range(60)]
    limited = ["/bin/sh", "-c", 'ulimit -v 1500000; exec "$0" "$@"', harness.TURF]
    if subprocess.run([*limited, "--version"], capture_output=True).returncode != 0:
        raise harness.Skip("this build needs more address space than the test leaves it")
    with subprocess.Popen([*limited, "tournament", "wol", *names, "-n", "10000000000", "--json"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            out, err = process.communicate(timeout=2)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=600)
    assert process.returncode in (2, 130), process.returncode
    one_line(err.decode())


harness.main()
