"""The installation: files, exported symbols of the two libraries, a program that embeds turf, the
manual page, and the version number, which is written in several places."""
import functools
import glob
import json
import os
import re
import shutil
import subprocess
import tempfile

import harness
from harness import ROOT, Skip, turf

FOLDER = tempfile.TemporaryDirectory(prefix="turf-install-")
EXAMPLE = os.path.join(ROOT, "examples", "embedding", "tournament.c")
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
# Plays games through the kernels, like the command; compiled as C and as C++.
KERNELS = """
#include <stdio.h>
#include <turf.h>
int main(void)
{
    TurfError error;
    for (size_t i = 0; turf_game_at(i); i++) {
        const TurfGame *game = turf_game_at(i);
        TurfPlayer *one = turf_player_open(game, "random", &error);
        TurfPairing pairing = {{one, one}, 200, false};
        TurfRunOptions options = {};
        TurfTotals totals;
        options.seed = 7;
        if (!one || !turf_run(game, &pairing, 1, &options, &totals, &error))
            return puts(error.text), 1;
        printf("%s %llu %llu\\n", turf_game_name(game),
               (unsigned long long)totals.endings[TURF_WON_BY_FIRST],
               (unsigned long long)totals.endings[TURF_WON_BY_SECOND]);
        turf_player_free(one);
    }
    return 0;
}
"""


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def run(*args, **more):
    if not shutil.which(args[0]):
        raise Skip(f"there is no {args[0]}")
    done = subprocess.run(args, capture_output=True, text=True, timeout=60, **more)
    assert done.returncode == 0, f"{args}: {done.stderr[:2000]}"
    return done.stdout


@functools.cache
def installed():
    """The root folder of the installation."""
    build = os.path.dirname(harness.TURF)
    if not os.path.exists(os.path.join(build, "build.ninja")):
        raise Skip("turf was not built here")
    run("meson", "install", "-C", build, "--no-rebuild", "--destdir", FOLDER.name)
    return FOLDER.name


def find(name):
    (path,) = [
        os.path.join(folder, name)
        for folder, folders, files in os.walk(installed())
        if name in folders + files
    ]
    return path


def plain_library():
    """The shared library, unless it was built with a sanitizer or gcov, which a program would have
    to link too."""
    library = find("libturf.so")
    if re.search(r" __(asan|tsan|ubsan|gcov)_", run("nm", library)):
        raise Skip("the library is built with a sanitizer, or to count lines")
    return library


def functions_of_header():
    return set(
        re.findall(r"\b(turf_[a-z_]+)\(",
                   re.sub(r"/\*.*?\*/", "", read("include", "turf.h"), flags=re.DOTALL)))


def names_in(table):
    return {line.split()[-1] for line in table.splitlines() if len(line.split()) == 3}


def flags(*more):
    environment = os.environ | {
        "PKG_CONFIG_PATH": os.path.dirname(find("turf.pc")), "PKG_CONFIG_SYSROOT_DIR": installed(),
        "PKG_CONFIG_ALLOW_SYSTEM_CFLAGS": "1", "PKG_CONFIG_ALLOW_SYSTEM_LIBS": "1"
    }
    return run("pkg-config", *more, "turf", env=environment).split()


def built(source, name, compiler="cc", standard="c17", libraries=None):
    """Compiles a program against the installed files with pkg-config's flags."""
    target = os.path.join(FOLDER.name, name)
    run(compiler, "-std=" + standard, *STRICT, source, *flags("--cflags"),
        *(libraries or flags("--libs")), "-lm", "-o", target)
    return target


def output(program, *arguments):
    folder = os.path.dirname(find("libturf.so"))
    return run(program, *arguments, env=os.environ | {"LD_LIBRARY_PATH": folder})


# ---- files


def test_all_files_are_installed():
    for name in (
        "bin/turf",
        "include/turf.h",
        "pkgconfig/turf.pc",
        "man1/turf.1",
        "bash-completion/completions/turf",
        "site-functions/_turf",
        "vendor_completions.d/turf.fish",
        "doc/turf/docs/protocol.md",
        "doc/turf/bots/c/example.c",
    ):
        found = glob.glob(os.path.join(installed(), "**", name), recursive=True)
        assert len(found) == 1 and os.path.getsize(found[0]) > 0, (name, found)


def test_the_service_of_the_debian_package_is_valid_and_confined():
    unit = read("debian", "turf.service").replace("Documentation=man:turf(1)\n", "")
    path = os.path.join(FOLDER.name, "turf.service")
    with open(path, "w", encoding="utf-8") as file:
        file.write(unit.replace("/usr/bin/turf", os.path.abspath(harness.TURF)))
    assert run("systemd-analyze", "verify", path) == ""
    # Fails if the exposure is above 4.0.
    report = run("systemd-analyze", "security", "--offline=true", "--threshold=40", path)
    for what in ("CapabilityBoundingSet=~CAP_SYS_ADMIN", "NoNewPrivileges=", "ProtectHome=",
                 "User=/DynamicUser="):
        assert re.search("✓ " + re.escape(what), report), report


def test_installed_command_does_not_need_the_shared_library():
    done = subprocess.run(
        [os.path.join(os.path.dirname(find("include")), "bin", "turf"), "--version"],
        capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == turf("--version").out


def test_links_between_installed_pages_resolve():
    n_links = 0
    for path in glob.glob(
        os.path.join(installed(), "**", "doc", "turf", "**", "*.md"), recursive=True
    ):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"^```.*?^```$", "", file.read(), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\(([^)#]+)", text):
            if not re.match(r"[a-z]+:", target):
                assert os.path.exists(os.path.join(os.path.dirname(path),
                                                   target)), f"{path}: {target}"
                n_links += 1
    assert n_links > 20
    return f"{n_links} links"


# ---- libraries


def test_libraries_are_in_the_standard_folders():
    prefix = os.path.dirname(find("include"))
    for name in ("libturf.so", "libturf.a", "pkgconfig"):
        assert find(name) == os.path.join(
            prefix, "lib",
            name), "in a build folder of an older meson.build: meson configure -Dlibdir=lib"


def test_shared_library_exports_exactly_the_header():
    assert names_in(run("nm", "-D", "--defined-only", plain_library())) == functions_of_header()


def test_static_library_exports_exactly_the_header():
    plain_library()
    assert names_in(run("nm", "-g", "--defined-only", find("libturf.a"))) == functions_of_header()


def test_debian_symbols_are_those_of_the_header():
    listed = re.findall(r"^ (\w+)@Base", read("debian", "libturf0.symbols"), re.MULTILINE)
    assert listed == sorted(functions_of_header())


def test_shared_library_has_a_versioned_soname():
    major = turf("--version").out.split()[1].split(".")[0]
    library = find("libturf.so")
    assert f"[libturf.so.{major}]" in run("readelf", "-d", library,
                                          env=os.environ | {"LC_ALL": "C"})
    assert os.readlink(library) == f"libturf.so.{major}" and os.path.exists(library)


def test_c_program_plays_the_same_games_as_turf():
    plain_library()
    source = os.path.join(FOLDER.name, "kernels.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(KERNELS.replace("= {};", "= {0};"))
    check_games(output(built(source, "kernels")))


def test_cpp_program_plays_the_same_games_as_turf():
    plain_library()
    source = os.path.join(FOLDER.name, "kernels.cpp")
    with open(source, "w", encoding="utf-8") as file:
        file.write(KERNELS)
    check_games(output(built(source, "kernels++", "c++", "c++17")))


def check_games(text):
    lines = [line.split() for line in text.splitlines()]
    assert len(lines) == 4
    for game, *wins in lines:
        result = json.loads(
            turf(
                "match",
                game,
                "random",
                "random",
                "-n",
                "200",
                "--seed",
                "7",
                "--db",
                "none",
                "--json",
            ).out
        )
        assert [int(n) for n in wins] == result["wins"], game


# ---- the example


def test_embedding_example_plays_its_tournament():
    plain_library()
    lines = [line.rsplit(None, 3) for line in output(built(EXAMPLE, "tournament")).splitlines()]
    assert lines[0] == ["cramping against", "won", "lost", "drawn"] and len(lines) == 5
    for rival, *counts in lines[1:]:
        assert sum(map(int, counts)) == 500, rival
    # the strategy beats random
    assert lines[1][0] == "random" and int(lines[1][1]) > int(lines[1][2])


def test_embedding_example_works_with_the_static_library():
    plain_library()
    packages = ("jansson", "sqlite3", "libseccomp", "nettle")
    libraries = [
        find("libturf.a"), *run("pkg-config", "--libs", *packages).split(), "-pthread", "-lm"
    ]
    assert "-lturf" in flags("--libs", "--static") and "-ljansson" in flags("--libs", "--static")
    assert output(built(EXAMPLE, "tournament-static",
                        libraries=libraries)) == output(built(EXAMPLE, "tournament"))


def test_examples_of_search_self_play_and_simultaneous_moves_work():
    plain_library()
    folder = os.path.join(ROOT, "examples", "embedding")
    for name in ("mcts", "colonist"):
        lines = output(built(os.path.join(folder, name + ".c"), name)).splitlines()
        counts = [list(map(int, re.findall(r"\d+", line))) for line in lines]
        assert len(counts) == 2, lines
        for won, lost, n_games in counts:
            assert won > lost and won + lost <= n_games, lines
    program = built(os.path.join(folder, "selfplay.c"), "selfplay")
    path = os.path.join(FOLDER.name, "games.bin")
    found = re.match(r"300 games, (\d+) samples of (\d+) bytes", output(program, "300", path))
    assert found and os.path.getsize(path) == int(found[1]) * int(found[2])


def test_embedding_example_is_short_and_uses_only_turf_h():
    text = read("examples", "embedding", "tournament.c")
    assert set(re.findall(r"#include (.*)", text)) == {"<turf.h>", "<stdio.h>", "<stdlib.h>"}
    assert text.count("\n") < 75


def test_library_md_lists_every_function():
    listed = re.findall(r"`(turf_\w+)`", read("docs", "library.md").split("## All functions")[1])
    assert set(functions_of_header()) <= set(listed), set(functions_of_header()) - set(listed)


def test_code_in_library_md_runs():
    plain_library()
    blocks = re.findall(r"^```(c|text)\n(.*?)^```", read("docs", "library.md"),
                        re.MULTILINE | re.DOTALL)
    functions = [text for kind, text in blocks if kind == "c" and text.startswith("static")]
    statements = [text for kind, text in blocks if kind == "c" and not text.startswith("static")]
    source = os.path.join(FOLDER.name, "page.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write("#include <turf.h>\n#include <stdio.h>\n#include <stdlib.h>\n" +
                   "".join(functions))
        file.write("int main(void)\n{\n" + "".join(statements) + "}\n")
    assert output(built(source, "page")) == "".join(text for kind, text in blocks if kind == "text")


# ---- the manual page


def words_of_page():
    return (
        turf("help", "--man")
        .out.replace("\\-", "-")
        .replace("\\fB", "")
        .replace("\\fP", "")
        .replace("\\fI", "")
    )


def test_manual_page_has_every_command_option_game_and_player():
    page = words_of_page()
    for command in re.findall(r"^  (turf [a-z-]+)", turf("help").out, re.MULTILINE):
        assert f'.SS "{command}' in page, command
        for option in re.findall(
            r"^  (?:-.,|   ) (--[a-z-]+)", turf("help", command.split()[1]).out, re.MULTILINE
        ):
            assert re.search(rf"^(-., )?{option}( |$)", page, re.MULTILINE), option
    for game in json.loads(turf("games", "--json").out):
        assert f".TP\n{game['name']} ({game['short_name']})\n" in page
        for thing in game["players"] + game["starts"]:
            assert re.search(rf"^{thing['name']}\b", page, re.MULTILINE), thing


def test_manual_page_names_the_environment_variables():
    page = words_of_page()
    for name in ("TURF_DB", "NO_COLOR"):
        assert f".TP\n.B {name}\n" in page
    assert "@" not in page and "EXIT STATUS" in page and turf("--version").out.strip() in page


def test_manual_page_passes_mandoc_and_groff():
    page = turf("help", "--man").out
    checks = [("mandoc", "-Tlint", "-Wwarning"), ("groff", "-ww", "-man", "-Tutf8")]
    found = [check for check in checks if shutil.which(check[0])]
    if not found:
        raise Skip("there is neither mandoc nor groff")
    for check in found:
        done = subprocess.run(check, input=page, capture_output=True, text=True, timeout=30)
        complaints = done.stderr + (done.stdout if check[0] == "mandoc" else "")
        assert done.returncode == 0 and not complaints, complaints


# ---- agreement


def test_version_is_the_same_everywhere():
    version = re.search(r'#define TURF_VERSION "(.*)"', read("include", "turf.h"))[1]
    assert turf("--version").out == f"turf {version}\n"
    assert re.search(r"^  version: '(.*)'", read("meson.build"), re.MULTILINE)[1] == version
    assert re.match(r"turf \((.*)\)", read("debian", "changelog"))[1] == version
    with open(find("turf.pc"), encoding="utf-8") as file:
        assert f"Version: {version}\n" in file.read()


def test_debian_build_depends_match_the_build():
    wanted = re.search(r'^BUILD_PACKAGES="(.*)"', read("do"), re.MULTILINE)[1].split()
    has = re.search(r"^Build-Depends:(.*?)^\S", read("debian", "control"),
                    re.MULTILINE | re.DOTALL)[1]
    # build-essential has the compiler, and meson depends on ninja.
    missing = (
        set(wanted)
        - {"gcc", "libc6-dev", "ninja-build"}
        - set(re.findall(r"[a-z][a-z0-9+.-]+", has))
    )
    assert not missing, f"debian/control does not name {missing}"


harness.main()
