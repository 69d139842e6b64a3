"""Bots as child processes: good ones play, bad ones forfeit with the reason, and the run goes
on."""
import contextlib
import json
import os
import resource
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time

import harness
from bots import FIRST_BOT, HOSTILE, MARK, bot, has_sandbox, survivors
from harness import TURF, refused, turf

START = "cross"


def play(game, mode, *options, turns=0, sandbox="off"):
    start = ["--start", START] if game == "wol" else ["--start", "8x8"]
    # An opponent that draws nothing at random, so that the game does not depend on how the bot's
    # command is written.
    result = json.loads(turf("match", game, bot(mode, turns), "land-grab", "-n", "1", "--json",
                             "--quiet", "--sandbox", sandbox,
                             *start, *options).out)
    assert survivors() == [], f"{mode}: left behind {survivors()}"
    return result


REASONS = {
    "timeout": ["never answers", "ignores sigterm", "drips", "stops itself", "does not read",
                "floods stderr",
                "joins the group of the arena", "answers late", "slow to start"],
    "crash": ["exits with 7", "segfaults", "says much and exits with 7",
              "dies while its child holds on"],
    "disconnected": ["exits", "closes its output", "without a newline"],
    "flood": ["line without end", "gigabytes"],
    "garbage": ["nul bytes", "nul after it", "no utf 8", "deep json", "duplicate keys", "1e999",
                "nothing", "not json", "no move"],
    "illegal": ["illegal"],
}


def test_each_misbehaviour_forfeits_with_its_own_reason():
    for game in ("wol", "bg"):
        for reason, modes in REASONS.items():
            for mode in modes:
                result = play(game, mode, "--move-cap", "700" if reason == "timeout" else "20000")
                assert result["wins"] == [0, 1], (game, mode, result)
                assert result["forfeits"] == [{reason: 1}, {}], (game, mode, result["forfeits"])


def test_a_bot_above_its_memory_limit_is_killed():
    if not os.path.exists(f"/proc/{os.getpid()}/task/{os.getpid()}/children"):
        raise harness.Skip("nobody can see here what families of processes use")
    for sandbox in ["off"] + ["require"] * has_sandbox():
        for mode in ("eats memory", "eats memory in children", "eats shared memory"):
            done = turf("match", "wol", bot(mode, 1), "land-grab", "-n", "1", "--start", START,
                        "--sandbox", sandbox,
                        "--bot-memory", "200", "--move-cap", "60000")
            assert "(memory): used more than 200 MiB of memory" in done.err, (mode, done.err)
            assert "x forfeited" in done.err and survivors() == []
    assert play("wol", "eats memory", "--bot-memory", "200", "--move-cap",
                "60000")["forfeits"] == [{"memory": 1}, {}]


def test_a_fork_bomb_is_killed_with_all_its_children():
    if not os.path.exists(f"/proc/{os.getpid()}/task/{os.getpid()}/children"):
        raise harness.Skip("nobody can see here what families of processes use")
    for sandbox in ["off"] + ["require"] * has_sandbox():
        done = turf("match", "bg", bot("forks without end", 1), "land-grab", "-n", "2", "--start",
                    "8x8", "--sandbox", sandbox,
                    "--bot-processes", "20", "--move-cap", "60000")
        assert "(crash): killed: it had more than 20 processes" in done.err, done.err
        assert survivors() == []


def test_cpu_time_can_be_limited():
    for sandbox in ["off"] + ["require"] * has_sandbox():
        done = turf("match", "sw", bot("burns time"), "greedy", "-n", "1", "--sandbox", sandbox,
                    "--bot-cpu", "1", "--move-cap", "60000")
        assert "(crash): used up its 1 s of CPU time" in done.err, done.err


def test_the_standard_error_of_each_bot_is_logged_to_its_own_file():
    with tempfile.TemporaryDirectory() as folder:
        logs = os.path.join(folder, "logs")
        turf("match", "sw", f"my bot=bot:{HOSTILE} 'exits with 7' 2", "greedy", "-n", "3", "-q",
             "--bot-logs", logs)
        with open(os.path.join(logs, "my_bot.log"), encoding="utf-8") as file:
            assert file.read() == "all is lost\n" * 3
        refused("match", "sw", bot("good"), "greedy", "--sandbox", "off", "--bot-logs",
                "/dev/null/x", saying="--bot-logs")


def test_with_reuse_one_process_plays_many_games_and_is_told_of_each():
    code = ("import json,os,sys\ngames = 0\nfor line in sys.stdin:\n q = json.loads(line)\n"
            " if 'new_game' in q:\n  games += 1\n  print(os.getpid(), games, json.dumps(q), "
            "file=open(sys.argv[1], 'a'))\n  continue\n"
            " print(json.dumps({'move': q['moves'][0]}), flush=True)")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "seen")
        result = json.loads(turf("match", "sw",
                                 f"x=bot:{shlex.join([sys.executable, '-c', code, path])}",
                                 "greedy", "-n", "200",
                                 "--swap", "--reuse", "-j", "1", "--json", "-q", "--sandbox",
                                 "off").out)
        with open(path, encoding="utf-8") as file:
            seen = [line.split(" ", 2) for line in file]
    assert result["games"] == 200 and result["forfeits"] == [{}, {}]
    assert len({pid for pid, _, _ in seen}) == 1
    assert [int(n) for _, n, _ in seen] == list(range(1, 201))
    assert {json.loads(line)["new_game"]["you"] for _, _, line in seen} == {"X", "O"}
    assert json.loads(seen[0][2])["new_game"]["game"] == "squirrel-war" and survivors() == []


def with_script(code, *args, **more):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "my_bot.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(code)
        return turf(*[arg.replace("BOT", f"{sys.executable} {path}") for arg in args], **more).out


def test_a_bot_that_knows_no_new_game_line_is_told_of_it():
    out = with_script(FIRST_BOT, "match", "sw", "x=bot:BOT", "greedy", "-n", "1", "--reuse",
                      "--json", "-q", "--sandbox", "off")
    assert json.loads(out)["forfeits"] == [{"crash": 1}, {}]
    record = json.loads(turf("export", "--format", "jsonl").out.splitlines()[-1])
    assert "KeyError: 'moves' (my_bot.py, line 4)" in record["explanation"], record
    assert '{"new_game":...}' in record["explanation"], record


def test_the_example_of_the_protocol_plays_with_reuse():
    with open(os.path.join(harness.ROOT, "docs", "protocol.md"), encoding="utf-8") as file:
        code = file.read().split("```python\n")[1].split("```")[0]
    for more in ([], ["--reuse"]):
        out = json.loads(
            with_script(code, "match", "sw", "x=bot:BOT", "greedy", "-n", "4", *more, "--json",
                        "-q", "--sandbox", "off"))
        assert out["forfeits"] == [{}, {}], out


def test_with_reuse_a_bot_that_fails_is_restarted():
    for mode, reason in (("exits with 7", "crash"), ("never answers", "timeout")):
        result = json.loads(turf("match", "sw", bot(mode, 3), "greedy", "-n", "3", "--reuse",
                                 "--move-cap", "1500", "--json", "-q").out)
        assert result["forfeits"] == [{reason: 3}, {}], result


def test_a_built_in_player_as_a_bot_can_be_reused():
    for game, player in (("wol", "land-grab"), ("bg", "settler")):
        start = ["--start", START] if game == "wol" else ["--start", "10x10"]
        plain, reused = (json.loads(turf("match", game,
                                         f"bot:{shlex.quote(TURF)} bot {game} {player}",
                                         "bloodlust", "-n", "4", "--json", "-q",
                                         *start, *more).out) for more in ((), ("--reuse",)))
        for key in ("wins", "draws", "average_length", "forfeits"):
            assert plain[key] == reused[key], (game, key)


def test_built_in_players_are_on_the_clock_too():
    result = json.loads(turf("match", "wol", "minimax:depth=6", "land-grab", "-n", "1", "--time",
                             "1", "--json", "-q").out)
    assert result["forfeits"] == [{"timeout": 1}, {}], result
    assert json.loads(turf("match", "wol", "random", "land-grab", "-n", "20", "--time", "5000",
                           "--json", "-q").out)["forfeits"] == [{}, {}]


def test_coordinates_off_the_board_lose():
    for game, reason in (("wol", "garbage"), ("bg", "illegal")):
        for mode in ("negative", "huge"):
            assert play(game, mode, "--move-cap", "20000")["forfeits"] == [{reason: 1}, {}]


def test_harmless_oddities_do_not_forfeit():
    for game in ("wol", "bg"):
        for mode in ("good", "answers twice", "sends unknown keys", "leaves a family",
                     "floods stderr and answers"):
            result = play(game, mode, "--move-cap", "20000")
            assert result["forfeits"] == [{}, {}], (game, mode, result)


def test_an_answer_before_the_end_of_the_output_still_counts():
    # The bot ends after its first answer, and loses only when the second is due.
    result = play("wol", "answers and ends", "--move-cap", "20000")
    assert result["forfeits"] == [{"disconnected": 1}, {}] and result["average_length"] == 2


def test_a_forfeit_in_mid_game_is_not_taken_for_a_failed_start():
    result = play("wol", "never answers", "--move-cap", "4000", turns=2)
    assert result["forfeits"] == [{"timeout": 1}, {}] and result["average_length"] == 4


def test_a_bot_that_spends_its_clock_times_out():
    # Five turns' worth at the start and one more for the turn, but no more than five in all.
    begin = time.monotonic()
    result = play("bg", "never answers", "--time", "100")
    assert result["forfeits"] == [{"timeout": 1}, {}]
    assert time.monotonic() - begin >= 0.5


def test_a_missing_program_forfeits_and_does_not_stop_the_tournament():
    result = turf("tournament", "sw", "greedy", "random", "lost=bot:no-such-program x", "-n", "2",
                  "--json", "--quiet")
    assert "lost forfeits all its games: there is no program 'no-such-program'" in result.err
    standings = {each["player"]: each for each in json.loads(result.out)["standings"]}
    assert standings["lost"]["forfeits"] == {"crash": 8} and standings["lost"]["elo"] is None
    assert standings["land-grab"]["elo"] is not None
    refused("match", "sw", "greedy", "bot:no-such-program", saying="there is no program")


def test_a_tournament_survives_a_bad_bot_and_says_why_it_lost():
    out = turf("tournament", "sw", "greedy", f"mine=bot:{HOSTILE} 'exits with 7' 3", "-n", "3",
               "--no-times").out
    assert "mine forfeited 9 of its 9 games: 9 crash\n" in out
    result = json.loads(turf("tournament", "sw", "greedy", bot("exits with 7", 3), "-n", "3",
                             "--json", "-q").out)
    assert [row["games"] for row in result["pairings"]] == [3, 3, 3, 3]
    done = turf("match", "sw", bot("exits with 7", 3), "greedy", "-n", "2")
    assert "(crash): ended with status 7: all is lost" in done.err


def test_strict_runs_exit_with_1_after_a_forfeit():
    turf("match", "sw", bot("exits"), "greedy", "-n", "1", "--strict", status=1)
    turf("match", "sw", bot("good"), "greedy", "-n", "1", "--strict", status=0)


def test_a_built_in_player_as_a_bot_plays_the_same_games():
    for game, player, start in (("wol", "minimax", "cross"), ("aw", "land-grab", "5x5"),
                                ("sw", "minimax", "random"),
                                ("bg", "settler", "10x10")):
        home = json.loads(turf("match", game, player, "bloodlust", "-n", "2", "--start", start,
                               "--json", "-q").out)
        away = json.loads(turf("match", game, f"bot:{shlex.quote(TURF)} bot {game} {player}",
                               "bloodlust", "-n", "2", "--start",
                               start, "--json", "-q").out)
        for key in ("wins", "draws", "average_length", "forfeits"):
            assert home[key] == away[key], (game, key, home, away)


def test_two_bots_think_at_the_same_time_where_both_move_at_once():
    code = ("import sys,time\nfor line in sys.stdin:\n begin = time.monotonic()\n time.sleep(0.2)\n"
            " print(begin, time.monotonic(), file=open(sys.argv[1], 'a'))\n"
            " print('{\"cells\":[]}', flush=True)")
    start = json.dumps({"config": {"maxGameIterations": 5},
                        "board": ["11..", "11..", "....", "...2"]})
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-c", code]
        bots = [f"{name}=bot:{shlex.join([*words, os.path.join(folder, name)])}" for name in "ab"]
        result = json.loads(turf("match", "bg", *bots, "-n", "1", "--json", "-q", "--start", start,
                                 "--sandbox", "off",
                                 "--move-cap", "50000").out)
        times = [[tuple(map(float, line.split())) for line in open(os.path.join(folder, name))]
                 for name in "ab"]
    assert result["forfeits"] == [{}, {}] and [len(turns) for turns in times] == [5, 5]
    # the first turn waits for Python to start
    for (begin_a, end_a), (begin_b, end_b) in list(zip(*times))[1:]:
        assert begin_a < end_b, "one was asked only after the other had answered"
        assert begin_b < end_a, "one was asked only after the other had answered"


def test_if_both_bots_fail_in_one_turn_the_first_to_fail_loses():
    never, dead = f"a=bot:{HOSTILE} 'never answers'", "b=bot:false"
    for players, reason in (([never, dead], [{}, {"crash": 1}]),
                            ([dead, never], [{"crash": 1}, {}])):
        result = json.loads(turf("match", "bg", *players, "-n", "1", "--json", "-q", "--move-cap",
                                 "700", "--start", "8x8").out)
        assert result["forfeits"] == reason, result


def test_a_bot_that_cannot_be_restarted_loses_and_the_run_goes_on():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "once.sh")
        with open(path, "w") as file:
            file.write(f"#!/bin/sh\nrm {shlex.quote(path)}\nexit 0\n")
        os.chmod(path, 0o755)
        result = json.loads(turf("match", "sw", f"x=bot:{path}", "greedy", "-n", "5", "--json",
                                 "-q", "-j", "1", "--sandbox", "off").out)
    assert result["games"] == 5 and sum(result["forfeits"][0].values()) == 5
    assert result["forfeits"][0]["crash"] >= 4


def test_a_bot_does_not_forfeit_when_turf_runs_out_of_files():
    command = [TURF, "match", "wol", f"b=bot:{shlex.quote(TURF)} bot wol random", "random", "-n",
               "2", "-j", "1", "--db", "none",
               "--json", "--quiet", "--sandbox", "off"]
    started = [subprocess.Popen(["/bin/sh", "-c", f'ulimit -n {n}; exec "$@"', "sh", *command],
                                stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
               for n in (10, 12, 13, 14, 15, 16, 17, 18, 64)]
    ended = [(*process.communicate(timeout=60), process.returncode) for process in started]
    for out, err, status in ended:
        if status == 0:
            assert json.loads(out)["games"] == 2 and err == b"", ended
        else:
            line = harness.one_line(err.decode())
            assert status == 2 and out == b"", ended
            assert "Too many open files; allow more files with 'ulimit -n'" in line, ended
    assert ended[0][2] == 2 and ended[-1][2] == 0, ended


def test_a_bot_that_connects_does_not_forfeit_when_turf_runs_out_of_files():
    ended = []
    for n_files in (5, 6, 7, 8, 64):
        port = free_port()
        with subprocess.Popen(["/bin/sh", "-c", f'ulimit -n {n_files}; exec "$@"', "sh", TURF,
                               "match", "sw", f"x=tcp:{port}", "greedy", "-n", "1",
                               "--json", "-q", "--db", "none"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            knocks = None
            while process.poll() is None and not knocks:
                knocks = knock(port)
                time.sleep(0.02)
            if knocks:
                with contextlib.suppress(OSError):  # turf may have given up before
                    knocks.shutdown(socket.SHUT_WR)  # it has come, and says nothing
            ended.append((*process.communicate(timeout=60), process.returncode))
            if knocks:
                knocks.close()
    for out, err, status in ended:
        if status == 0:
            assert json.loads(out)["forfeits"] == [{"disconnected": 1}, {}], ended
        else:
            assert status == 2 and out == b"", ended
            assert "Too many open files" in harness.one_line(err.decode()), ended
    assert ended[0][2] == 2 and ended[-1][2] == 0, ended


def test_the_error_output_of_a_bot_is_kept_but_cannot_control_the_terminal():
    says = ("import sys; sys.stderr.buffer.write(b'b\\xc3\\xb6se \\xe2\\x82\\xac \\xff\\x1b[31m' + "
            "%s * b'\\xc3\\xa4'); sys.exit(3)")
    with tempfile.TemporaryDirectory() as folder:
        for number, n_more in enumerate((0, 300)):
            database = os.path.join(folder, f"{number}.db")
            told = turf("match", "wol",
                        "b=bot:" + shlex.join([sys.executable, "-c", says % n_more]), "random",
                        "-n", "1", "--sandbox", "off",
                        "--db", database).err
            assert "böse € ??[31m" + ("ää" if n_more else "") in told and "\x1b" not in told, told
            told.encode("utf-8")  # no half letters
            record = json.loads(turf("export", "--db", database).out)
            assert "böse € ??[31m" in record["explanation"], record
            assert record["last_words"].startswith("böse € ?\x1b[31m"), record


def test_the_reason_why_a_bot_cannot_start_is_kept_for_any_folder_name():
    for before in ("", "x"):  # so that one of them is cut in the middle of a letter
        with tempfile.TemporaryDirectory() as folder:
            path, database = os.path.join(folder,
                                          before + 115 * "\u00e9"), os.path.join(folder, "turf.db")
            with open(path, "w") as file:
                file.write("#!/bin/sh\nrm \"$0\"\nexit 0\n")
            os.chmod(path, 0o755)
            lines = turf("match", "sw", f"x=bot:{path}", "greedy", "-n", "2", "-j", "1",
                         "--json-lines", "-q", "--sandbox", "off", "--db", database).out
            games = [json.loads(line) for line in lines.splitlines()[:2]]
            assert "\u00e9" in games[1]["forfeit"]["text"], lines
            kept = [json.loads(line) for line in turf("export", "--db", database).out.splitlines()]
            assert [game["explanation"] for game in kept] == [game["forfeit"]["text"]
                                                              for game in games], kept


def n_kept(database):
    if not os.path.exists(database):
        return 0
    done = subprocess.run([TURF, "runs", "--json", "--db", database], capture_output=True,
                          timeout=60)
    return sum(run["games"] for run in json.loads(done.stdout)) if done.returncode == 0 else 0


def test_ctrl_c_does_not_wait_for_a_bot_that_has_not_connected():
    with tempfile.TemporaryDirectory() as folder:
        database, port = os.path.join(folder, "turf.db"), free_port()
        with subprocess.Popen([TURF, "match", "sw", f"tcp:{port}", "greedy", "-n", "3", "--db",
                               database], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            connect(port).close()  # it listens; that was game 1
            while n_kept(database) < 1:
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=120)
        assert process.returncode == 130
        assert n_kept(database) == 1, "it has waited, and a game that nobody played counts"


def test_a_program_with_thousands_of_open_files_ends_with_its_bots():
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if most != resource.RLIM_INFINITY and most < 5000:
        raise harness.Skip("so many files may not be open here")
    inherited = "import os,resource,sys\n" \
                f"resource.setrlimit(resource.RLIMIT_NOFILE, (5000, {most}))\n" \
                "for fd in range(100, 4400): os.dup2(1, fd)\nos.execv(sys.argv[1], sys.argv[1:])"
    done = subprocess.run([sys.executable, "-c", inherited, TURF, "match", "sw", bot("good"),
                           "greedy", "-n", "1", "--json", "-q"],
                          capture_output=True, timeout=120)
    assert json.loads(done.stdout)["forfeits"] == [{}, {}] and survivors() == [], done


def test_ctrl_c_does_not_wait_for_a_bot():
    begin = time.monotonic()
    with subprocess.Popen([TURF, "match", "sw", bot("never answers"), "greedy", "-n", "3",
                           "--move-cap", "600000"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        harness.wait_until_it_heeds(process, signal.SIGINT)
        # on most machines the question is put by then; it may be interrupted before too
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == 130 and time.monotonic() - begin < 60
    assert survivors() == []


def test_bots_play_when_turf_has_no_standard_input():
    command = shlex.join([TURF, "match", "sw", bot("good"), "greedy", "-n", "1", "--json", "-q"])
    done = subprocess.run(["sh", "-c", command + " <&-"], capture_output=True, timeout=60)
    assert json.loads(done.stdout)["forfeits"] == [{}, {}], done


def test_long_and_odd_commands_are_shown_in_tables_and_json():
    long = f"bot:{HOSTILE} good 0 'a\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\nb'"
    result = json.loads(turf("match", "sw", long, "greedy", "-n", "1", "--json", "-q").out)
    assert len(result["players"][0]) <= 40 and result["forfeits"] == [{}, {}]


def test_a_sandboxed_bot_can_neither_write_nor_use_the_network():
    if not has_sandbox():
        raise harness.Skip("bubblewrap is not installed, or not permitted here")
    with tempfile.TemporaryDirectory() as folder:
        code = ("import json,os,socket,sys,tempfile\nfound = []\n"
                "try: open(sys.argv[1] + '/file', 'w'); found.append('wrote')\n"
                "except OSError: pass\n"
                "if len(socket.if_nameindex()) > 1: found.append('network')\n"
                "if not open('/proc/self/status').read().count('CapEff:\\t0000000000000000'): "
                "found.append('capabilities')\n"
                "if os.path.exists('/run'): found.append('services')\n"
                "if len([p for p in os.listdir('/proc') if p.isdigit()]) > 5: "
                "found.append('processes')\n"
                "tempfile.NamedTemporaryFile().write(b'x')\n"
                "for line in sys.stdin:\n q = json.loads(line)\n"
                " if found: sys.exit(' '.join(found))\n"
                " print(json.dumps({'move': q['moves'][0]}), flush=True)")
        mine = f"x=bot:{shlex.join([sys.executable, '-c', code, folder])}"
        for sandbox, forfeits in (("require", {}), ("off", {"crash": 1})):
            result = json.loads(turf("match", "sw", mine, "greedy", "-n", "1", "--json", "-q",
                                     "--sandbox", sandbox).out)
            assert result["forfeits"][0] == forfeits, (sandbox,
                                                       turf("match", "sw", mine, "greedy", "-n",
                                                            "1", "--sandbox", sandbox).err)


def test_a_sandboxed_bot_forfeits_as_outside_and_leaves_no_processes():
    if not has_sandbox():
        raise harness.Skip("bubblewrap is not installed, or not permitted here")
    for mode, reason in (("never answers", "timeout"), ("exits with 7", "crash"),
                         ("segfaults", "crash"), ("exits", "disconnected"),
                         ("line without end", "flood"), ("illegal", "illegal"),
                         ("stops itself", "timeout")):
        result = play("wol", mode, "--move-cap", "1500" if reason == "timeout" else "20000",
                      sandbox="require")
        assert result["forfeits"] == [{reason: 1}, {}], (mode, result["forfeits"])
    assert play("wol", "leaves a family", sandbox="require")["forfeits"] == [{}, {}]


def killed_with_bots(sandbox, n_processes):
    """Kills turf while a bot with children waits, until all of them are gone."""
    with subprocess.Popen([TURF, "match", "wol", bot("leaves a family then waits"), "random", "-n",
                           "1", "--sandbox", sandbox,
                           "--bot-env", MARK.split("=")[0]], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        begin = time.monotonic()
        while len(survivors()) < n_processes:
            assert time.monotonic() - begin < 30, survivors()
            time.sleep(0.02)
        process.kill()
    while survivors():
        assert time.monotonic() - begin < 60, f"left behind {survivors()}"
        time.sleep(0.02)


def test_all_bots_are_killed_when_turf_is_killed():
    if not os.path.exists("/proc/self/environ"):
        raise harness.Skip("there is no /proc to see processes in")
    killed_with_bots("off", 4)  # turf, its guard, the bot, and the one it left


def test_all_sandboxed_bots_are_killed_when_turf_is_killed():
    if not has_sandbox():
        raise harness.Skip("bubblewrap is not installed, or not permitted here")
    killed_with_bots("require", 5)  # and bubblewrap


def test_a_sandboxed_bot_writes_only_to_allowed_folders():
    if not has_sandbox():
        raise harness.Skip("bubblewrap is not installed, or not permitted here")
    code = ("import json,sys\nfor line in sys.stdin:\n q = json.loads(line)\n"
            " open(sys.argv[1], 'w').write('hello')\n print(json.dumps({'move': q['moves'][0]}), "
            "flush=True)")
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
        os.chmod(folder, 0o777)  # as root, bots are another user
        os.chmod(other, 0o777)
        path = os.path.join(folder, "file")
        mine = f"x=bot:{shlex.join([sys.executable, '-c', code, path])}"
        for allowed, forfeits in (([], {"crash": 1}), (["--allow-write", other], {"crash": 1}),
                                  (["--allow-write", other, "--allow-write", folder], {})):
            result = json.loads(turf("match", "sw", mine, "greedy", "-n", "1", "--json", "-q",
                                     "--sandbox", "require", *allowed).out)
            assert result["forfeits"][0] == forfeits, (allowed, result)
            assert os.path.exists(path) == (forfeits == {})
        os.remove(path)
        beside = json.loads(turf("match", "sw", mine, "greedy", "-n", "1", "--json", "-q",
                                 "--sandbox", "require", "--allow-write",
                                 os.path.basename(folder), cwd=os.path.dirname(folder)).out)
        assert beside["forfeits"][0] == {} and os.path.exists(path), beside
    refused("match", "sw", bot("good"), "greedy", "--allow-write", "/nowhere/at/all",
            saying="--allow-write")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def knock(port):
    """A connection, or None if turf does not listen yet."""
    try:
        connection = socket.create_connection(("127.0.0.1", port))
        if connection.getsockname() != connection.getpeername():
            return connection
        connection.close()  # where nobody listens yet, TCP may connect one with itself
    except ConnectionRefusedError:
        pass
    return None


def connect(port):
    """Connects as soon as turf listens."""
    begin = time.monotonic()
    while not (connection := knock(port)):
        assert time.monotonic() - begin < 20, "turf does not listen"
        time.sleep(0.02)
    return connection


def test_a_bot_can_connect_by_tcp_for_each_game():
    port = free_port()
    with subprocess.Popen([TURF, "match", "sw", f"x=tcp:{port}", "greedy", "-n", "3", "--json"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        invitation = f"turf: x may connect to {port} now; a game waits 30 s for it\n"
        assert process.stderr.readline() == invitation.encode()
        for _ in range(3):
            with connect(port) as connection, connection.makefile("rw") as wire:
                for line in wire:
                    wire.write(json.dumps({"move": json.loads(line)["moves"][0]}) + "\n")
                    wire.flush()
        result = json.loads(process.communicate(timeout=60)[0])
    assert result["games"] == 3 and result["forfeits"] == [{}, {}], result


def test_a_connection_that_is_dropped_loses_the_game():
    port = free_port()
    with subprocess.Popen([TURF, "match", "sw", f"x=tcp:{port}", "greedy", "-n", "1", "--json",
                           "-q"], stdout=subprocess.PIPE) as process:
        connect(port).close()
        result = json.loads(process.communicate(timeout=60)[0])
    assert result["forfeits"] == [{"disconnected": 1}, {}], result
    for nowhere in ("tcp:nowhere", "tcp:70000", "tcp:", "tcp:" + 300 * "1" + ":9000"):
        refused("match", "sw", nowhere, "greedy", saying="tcp:9000")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        refused("match", "sw", f"tcp:{taken.getsockname()[1]}", "greedy", saying="in use")


def test_commands_that_cannot_run_are_rejected_before_the_first_game():
    refused("match", "wol", "bot:/nowhere/bot", "random", saying="no program '/nowhere/bot'")
    refused("match", "wol", "bot:/etc/passwd", "random", saying="no program")
    refused("match", "wol", "bot:/tmp", "random", saying="no program")
    refused("match", "wol", "bot:true", "random", "--sandbox", "maybe",
            saying="off, auto or require")
    refused("match", "wol", "bot:", "random", saying="bot:python3 my_bot.py")
    refused("match", "wol", "bot:'unfinished", "random", saying="cannot be read")
    refused("bot", "wol", "bot:true", saying="built-in player")


harness.main()
