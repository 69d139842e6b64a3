#!/bin/sh
# Builds, runs and tests turf, after installing the Debian packages it needs. './do' lists the commands.
# POSIX shell: a bare machine has neither make nor meson.
set -eu
cd "$(dirname "$0")"

BUILD_PACKAGES="gcc libc6-dev meson ninja-build pkg-config libjansson-dev libsqlite3-dev libseccomp-dev libmicrohttpd-dev nettle-dev libedit-dev libarchive-dev libcurl4-gnutls-dev esbuild opencl-c-headers"
TEST_PACKAGES="$BUILD_PACKAGES libcmocka-dev python3 python3-cffi python3-numpy tmux bubblewrap swi-prolog-nox curl ocl-icd-libopencl1 pocl-opencl-icd"
FORMAT_PACKAGES="clang-format-14"
CHECK_PACKAGES="$TEST_PACKAGES $FORMAT_PACKAGES clang libclang-rt-14-dev valgrind mpich libmpich-dev mandoc zsh fish"
CHECK_PACKAGES="$CHECK_PACKAGES chromium nginx-light python3-venv"
HOSTILE_PACKAGES="$TEST_PACKAGES qemu-system-x86 busybox-static cpio debootstrap"
PORTABLE_PACKAGES="$TEST_PACKAGES clang qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
DEB_PACKAGES="$BUILD_PACKAGES build-essential debhelper dpkg-dev lintian"
ANALYSE_PACKAGES="$TEST_PACKAGES clang-tidy cppcheck"
COVERAGE_PACKAGES="$TEST_PACKAGES gcovr"
WHEEL_PACKAGES="$BUILD_PACKAGES python3 python3-venv python3-pip"
PYTHON_PACKAGES="$BUILD_PACKAGES python3 python3-cffi python3-numpy"
PAGE_PACKAGES="$BUILD_PACKAGES clang-14 lld-14 llvm-14 wasi-libc libclang-rt-14-dev-wasm32 zopfli make tcl"
SLURM_PACKAGES="$BUILD_PACKAGES slurmctld slurmd slurm-client munge parallel"

say() { printf '%s\n' "$*" >&2; }
fail() { say "./do: $*"; exit 2; }

# as_root_or_fail MESSAGE: sets as_root to "sudo" unless we are root; fails if there is no sudo.
as_root_or_fail() {
    as_root=""
    [ "$(id -u)" -ne 0 ] || return 0
    command -v sudo >/dev/null || fail "$1"
    as_root="sudo"
}

# need PACKAGE...: installs the missing packages.
need() {
    missing=""
    for package in "$@"; do
        case "$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)" in
            *" installed") ;;
            *) missing="$missing $package" ;;
        esac
    done
    [ -n "$missing" ] || return 0
    command -v apt-get >/dev/null || fail "missing Debian packages, and no apt-get to install them:$missing"
    as_root_or_fail "missing packages; install them as root, or install sudo:$missing"
    say "./do: installing$missing"
    $as_root apt-get update -qq || say "./do: apt-get update failed; trying with the old package lists"
    # shellcheck disable=SC2086 # word splitting is intended
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >&2 ||
        fail "apt-get could not install:$missing"
}

# configure FOLDER OPTION...: runs meson setup, once per folder.
configure() {
    folder=$1
    shift
    [ ! -f "$folder/build.ninja" ] || return 0
    rm -rf "$folder"
    meson setup "$folder" "$@" >&2
    say "./do: building in $folder; the first build takes a minute"
}

# make_all FOLDER [TARGET]: builds; prints the log only on failure.
make_all() {
    if ! log=$(ninja -C "$@" 2>&1); then
        printf '%s\n' "$log" | grep -v '^\[' >&2
        fail "the build in $1 failed"
    fi
}

build() {
    # shellcheck disable=SC2086
    need $BUILD_PACKAGES
    configure build -Dtests=false
    make_all build
}

# run_tests FOLDER OPTION...: builds and runs all tests; the last line of output counts them.
run_tests() {
    folder=$1
    shift
    configure "$folder" -Dtests=true "$@"
    make_all "$folder"
    status=0
    meson test -C "$folder" --no-rebuild --print-errorlogs >&2 || status=$?
    python3 tests/summary.py "$folder" || status=1
    return $status
}

do_build() { build; say "./do: built build/turf"; }

do_run() {
    build
    ./build/turf tournament war-of-life "$@"
    say ""
    say "Next: './build/turf play war-of-life human minimax'; './build/turf help' lists all commands."
}

do_test() {
    # shellcheck disable=SC2086
    need $TEST_PACKAGES
    run_tests build-test
}

in_browser() { TURF=build/turf SHOTS=build/shots node --test tests/browser/all.test.js >&2; }

PRETTIER=tests/browser/node_modules/.bin/prettier

# need_npm PACKAGE: installs a package of tests/browser/package.json (development only); false if
# npm fails.
need_npm() {
    # Any version of node will do; Debian's npm works only with Debian's node.
    { command -v node && command -v npm; } >/dev/null || need nodejs npm
    [ -d "tests/browser/node_modules/$1" ] ||
        (cd tests/browser && npm install --no-package-lock --no-audit --no-fund --silent >&2) ||
        { say "./do: npm could not install $1"; return 1; }
}

# for_c COMMAND...: runs it with the C sources; for_page: with those of the page and its tests.
for_c() {
    find src include tests bench bots/c examples -name node_modules -prune -o \
        -name '*.[ch]' -exec "$@" {} +
}
for_page() {
    find src/web/page src/wasm/page tests/browser tests/wasm -name node_modules -prune -o \
        \( -name "*.js" -o -name "*.mjs" -o -name "*.css" \) -exec "$@" {} +
}

# Fails with the names of the files that './do format' would change.
check_format() {
    say "./do check: source format"
    # shellcheck disable=SC2016 # for the inner shell
    bad=$(for_c sh -c 'for file do
        clang-format-14 "$file" | cmp -s - "$file" || echo "$file"
    done' sh)
    if need_npm prettier; then
        bad="$bad $(for_page "$PRETTIER" --list-different || true)"
    fi
    # shellcheck disable=SC2086 # a list of words
    set -- $bad
    [ $# -gt 0 ] || return 0
    printf '%s\n' "$@" >&2
    fail "these files are not formatted; type './do format'"
}

do_format() {
    # shellcheck disable=SC2086
    need $FORMAT_PACKAGES
    for_c clang-format-14 -i
    need_npm prettier || fail "without prettier only the C sources are formatted"
    for_page "$PRETTIER" --write --log-level warn
}

# Tests the page in a real browser; skipped without playwright-core.
browser_tests() {
    say "./do check: browser tests in chromium"
    build
    { need_npm playwright-core && need_npm axe-core; } || true
    # On a busy machine a browser test may time out: a real failure fails twice.
    in_browser || { say "./do check: a browser test failed; trying again"; in_browser; }
    say "./do: screenshots are in build/shots"
}

# The checkers of other people's packages, which come from PyPI.
check_adapters() {
    say "./do check: PettingZoo, Gymnasium and OpenSpiel"
    build
    [ -x build/adapters/bin/pip ] || /usr/bin/python3 -m venv build/adapters
    build/adapters/bin/pip install --quiet numpy cffi pettingzoo gymnasium open_spiel >&2 ||
        fail "pip could not install the packages that check the adapters"
    build/adapters/bin/python tests/adapters.py >&2
}

do_check() {
    # shellcheck disable=SC2086
    need $CHECK_PACKAGES
    check_format
    say "./do check: AddressSanitizer and UndefinedBehaviorSanitizer"
    run_tests build-asan -Db_sanitize=address,undefined -Db_lundef=false
    say "./do check: ThreadSanitizer"
    configure build-tsan -Dtests=true -Db_sanitize=thread -Db_lundef=false
    make_all build-tsan
    meson test -C build-tsan --no-rebuild --print-errorlogs run schedule store search squirrel env_batch pool thinking cli_serve cli_serve_history cli_serve_life cli_serve_leaving >&2
    say "./do check: clang"
    CC=clang configure build-clang -Dtests=true
    make_all build-clang
    meson test -C build-clang --no-rebuild --print-errorlogs wol_kernels env_batch strategies search conformance amoeba battleground squirrel >&2
    say "./do check: without the kernels for newer processors"
    configure build-plain -Dtests=true -Dx86_kernels=false
    make_all build-plain
    meson test -C build-plain --no-rebuild --print-errorlogs wol_kernels env_batch strategies search amoeba run >&2
    check_adapters
    browser_tests
    say "./do check: the page in one file"
    # shellcheck disable=SC2086
    need $PAGE_PACKAGES
    if (fetch_libraries); then
        TURF_FEW_GAMES=yes check_page
    else
        say "./do check: it is not tested, for want of these sources"
    fi
    say "./do check: all is well"
}

# do_fuzz [TARGET] [SECONDS]: replays the earlier findings first.
do_fuzz() {
    target=${1:-all} seconds=${2:-60}
    case "$target" in *[!a-z]*) fail "'./do fuzz' takes a target and a number of seconds, like './do fuzz http 600'" ;; esac
    case "$seconds" in "" | *[!0-9]*) fail "'./do fuzz TARGET' takes a number of seconds, not '$seconds'" ;; esac
    # shellcheck disable=SC2086
    need $CHECK_PACKAGES
    CC=clang configure build-fuzz -Dtests=false -Dfuzz=true -Dx86_kernels=false -Db_lundef=false -Dmpi=disabled
    make_all build-fuzz fuzz
    python3 tests/fuzz/run.py build-fuzz "$target" "$seconds"
}

# hostile SETUP TEST...: runs tests with a setup of tests/hostile/preload.c, or 'none'.
hostile() {
    say "./do check-hostile: $1"
    setup=$1
    shift
    [ "$setup" = none ] || set -- --setup "$setup" "$@"
    meson test -C build-hostile --no-rebuild --print-errorlogs --timeout-multiplier 3 "$@" >&2
}

# do_check_hostile [N]: also tries N databases that lie.
do_check_hostile() {
    n_databases=${1:-200}
    case "$n_databases" in *[!0-9]*) fail "'./do check-hostile' takes a number of databases, not '$n_databases'" ;; esac
    # shellcheck disable=SC2086
    need $HOSTILE_PACKAGES
    build
    configure build-hostile -Dtests=true -Dhostile=true
    make_all build-hostile
    say "./do check-hostile: games do not depend on the size of hash tables"
    tests/portable/games.sh "$PWD/build/turf" >build-hostile/games.txt
    tests/portable/games.sh "$PWD/build-hostile/turf" >build-hostile/games-one-bucket.txt
    cmp build-hostile/games.txt build-hostile/games-one-bucket.txt || fail "a hash table of one bucket changes games"
    say "./do check-hostile: bots that try to get out, as this user and, for root, as another"
    hostile none seccomp_filter cli_sandbox cli_limits
    say "./do check-hostile: the same with cgroups, in a virtual machine; this takes some minutes"
    sh tests/hostile/cgroup_vm.sh "$PWD/build/turf" build-hostile/vm >&2 || fail "limits do not hold in the virtual machine"
    say "./do check-hostile: the hardened unit under systemd, in a virtual machine"
    sh tests/hostile/systemd_vm.sh "$PWD/build/turf" build-hostile/systemd >&2 || fail "turf.service does not work under systemd"
    hostile none search squirrel strategies conformance cli_search cli_solve cli_squirrel cli_serve cli_serve_errors cli_serve_life leaps
    hostile bytes process cli_bots cli_check_bot cli_run_config cli_arena cli_durable cli_examples
    hostile signals process run cli_bots cli_check_bot cli_run_config cli_arena cli_durable cli_examples
    hostile suspend process cli_bots cli_run_config cli_arena cli_examples
    hostile wall store live_games cli_reports cli_durable cli_serve_errors cli_serve_life
    say "./do check-hostile: bots that nobody should hand in"
    TURF="$PWD/build/turf" python3 tests/hostile/submissions.py >&2 || fail "a bot that was handed in did harm"
    say "./do check-hostile: $n_databases databases that lie, with AddressSanitizer"
    configure build-asan -Dtests=true -Db_sanitize=address,undefined -Db_lundef=false
    make_all build-asan turf
    ASAN_OPTIONS=detect_leaks=0 TURF="$PWD/build-asan/turf" python3 tests/hostile/databases.py "$n_databases" >&2
    say "./do check-hostile: all is well"
}

do_check_portable() {
    # shellcheck disable=SC2086
    need $PORTABLE_PACKAGES
    sh tests/portable/check.sh "$@"
}

do_analyse() {
    # shellcheck disable=SC2086
    need $ANALYSE_PACKAGES
    build # generates headers
    python3 tests/analyse.py build "$@"
}

# -O1 keeps lines that higher levels optimise away; counters are atomic because of threads. Bots in
# the sandbox cannot write their counters, and should not complain (GCOV_ERROR_FILE).
do_coverage() {
    # shellcheck disable=SC2086
    need $COVERAGE_PACKAGES
    configure build-coverage -Dtests=true -Db_coverage=true -Doptimization=1 -Dc_args=-fprofile-update=atomic
    find build-coverage -name '*.gcda' -delete
    GCOV_ERROR_FILE=/dev/null run_tests build-coverage
    python3 tests/coverage.py build-coverage
}

# The sources of Jansson and SQLite, which the page in one file is built with.
fetch_libraries() {
    libraries=$PWD/build-page/libraries
    [ -f "$libraries/done" ] || say "./do: fetching the sources of Jansson and SQLite"
    sh src/wasm/fetch.sh "$libraries" || fail "their sources could not be fetched from Debian"
}

# The engine as WebAssembly, in build-page/wasm.
build_wasm() {
    # shellcheck disable=SC2086
    need $PAGE_PACKAGES
    fetch_libraries
    configure build-page/wasm --cross-file src/wasm/wasi.ini -Dbuildtype=release -Dtests=false \
        "-Dlibraries=$libraries"
    make_all build-page/wasm
}

# do_page: the page in one file.
do_page() {
    build_wasm
    mkdir -p build
    cp build-page/wasm/src/wasm/turf.html build/turf.html
    say "./do: built build/turf.html, $(wc -c <build/turf.html) bytes; open it in a browser"
}

in_one_file() { SHOTS=build/shots node --test "tests/browser/$1.test.js" >&2; }

# The engine as WebAssembly beside the native program, under node; and the page in one file.
check_page() {
    command -v node >/dev/null || need nodejs
    build
    make_all build bench/turf-bench
    do_page
    TURF=build/turf BENCH=build/bench/turf-bench node --test tests/wasm/engine.test.mjs >&2
    need_npm playwright-core || return 0
    in_one_file one-file || { say "./do: a browser test failed; trying again"; in_one_file one-file; }
}

do_check_page() {
    check_page
    need_npm axe-core || return 0
    in_one_file all-in-one-file || { say "./do: a browser test failed; trying again"; in_one_file all-in-one-file; }
}

do_check_bots() {
    build
    TURF="$PWD/build/turf" TURF_MANY_BOTS=100 python3 tests/cli/test_many_bots.py
}

do_check_slurm() {
    # shellcheck disable=SC2086
    need $SLURM_PACKAGES
    build
    sh tests/slurm/check.sh "$PWD/build/turf"
}

do_bench() {
    if [ "${1:-}" = python ]; then
        # shellcheck disable=SC2086
        need $PYTHON_PACKAGES
        build
        shift
        # With the packages to compare with, if someone has put them there.
        python=build/rivals/bin/python
        [ -x $python ] || python=/usr/bin/python3
        PYTHONPATH=python $python bench/python.py "$@"
        return
    fi
    build
    make_all build bench/turf-bench
    ./build/bench/turf-bench "$@"
}

# do_wheel: the Python package with the engine in it, for the installed Python.
do_wheel() {
    # shellcheck disable=SC2086
    need $WHEEL_PACKAGES
    [ -x build-wheel/venv/bin/pip ] || /usr/bin/python3 -m venv build-wheel/venv
    build-wheel/venv/bin/pip wheel --quiet --no-deps --wheel-dir build-wheel ./python >&2 ||
        fail "pip could not build the wheel"
    say "./do: built this package:"
    ls build-wheel/*.whl
}

# do_install [--prefix FOLDER]
do_install() {
    prefix=/usr/local
    case "${1:-}" in
        --prefix) [ $# -eq 2 ] || fail "--prefix needs a folder, like --prefix /usr"; prefix=$2 ;;
        --prefix=*) prefix=${1#--prefix=} ;;
        "") ;;
        *) fail "'./do install' takes --prefix FOLDER, not '$1'" ;;
    esac
    case "$prefix" in /*) ;; *) fail "--prefix must be an absolute path, like /usr, not '$prefix'" ;; esac
    build
    meson configure build "-Dprefix=$prefix" >&2
    make_all build
    as_root="" place=${DESTDIR:-}$prefix nearest=${DESTDIR:-}$prefix
    while [ ! -e "$nearest" ]; do nearest=$(dirname "$nearest"); done
    [ -w "$nearest" ] || as_root_or_fail "$place is writable only by root; try './do install --prefix $HOME/.local'"
    $as_root env DESTDIR="${DESTDIR:-}" meson install -C build --no-rebuild --quiet >&2 ||
        fail "turf could not be installed into $place"
    # Update the linker's cache for the new shared library.
    [ -n "${DESTDIR:-}" ] || { [ "$(id -u)" -ne 0 ] && [ -z "$as_root" ]; } || $as_root ldconfig
    say "./do: installed turf into $place"
}

do_deb() {
    # shellcheck disable=SC2086
    need $DEB_PACKAGES $PAGE_PACKAGES
    fetch_libraries
    rm -rf build-deb
    mkdir -p build-deb/turf
    say "./do: building the packages; this takes a minute or two"
    tar -c --exclude='./build*' --exclude=./.git --exclude='./turf.db*' --exclude=__pycache__ . | tar -x -C build-deb/turf
    (cd build-deb/turf && TURF_LIBRARIES="$libraries" dpkg-buildpackage --build=binary --no-sign) >build-deb/log 2>&1 ||
        { tail -n 40 build-deb/log >&2; fail "dpkg-buildpackage failed; see build-deb/log"; }
    rm -rf build-deb/turf
    lintian --allow-root --fail-on error,warning build-deb/*.changes >&2 || fail "lintian reported errors or warnings"
    say "./do: built these packages:"
    ls build-deb/*.deb
}

do_help() {
    cat <<'TEXT'
./do build           install the packages needed and build build/turf
./do run [ARGS]      build and play the War of Life coursework's tournament; ARGS go to 'turf tournament'
./do test            run all tests; the last line counts them
./do format          format the C sources (clang-format) and the page (prettier)
./do bench [PART]    run the benchmark, or one part of it; --help lists the parts
./do page            build build/turf.html, the page with its engine in one file (docs/one-file.md)
./do wheel           build the Python package in build-wheel; pip fetches meson-python
./do install         build and install to /usr/local, or --prefix FOLDER (respects DESTDIR)
./do deb             build the Debian packages in build-deb and check them with lintian

./do check           check the format, run the tests under sanitizers, with clang and without the
                     x86 kernels, check the Python adapters, and test the page in a browser, also
                     that in one file, with fewer games than './do check-page'
./do analyse [FILE]  run clang-tidy, cppcheck and gcc -fanalyzer over src and bench
./do coverage        measure line coverage by folder (src/cmd excluded); fails below 90 %
./do fuzz [TARGET] [SECONDS]
                     fuzz every parser, or one, for 60 seconds each
./do check-bots      run 100 bots in one tournament at 300 ms a turn; needs an idle machine
./do check-hostile [N]
                     run bots that try to escape, also in a virtual machine with cgroups; run tests
                     with one-bucket hash tables, one-byte reads and writes, signals at every system
                     call and leaping clocks; try N databases (200) with changed rows
./do check-portable  run tests and compare games, to the byte: gcc and clang, -O0 to -O3, no AVX2, arm64
./do check-page      play a thousand games with the engine as WebAssembly and with the native one: the same
                     to the byte; test the page in one file in chromium, also with the tests of the page
./do check-slurm     run the job array of docs/cluster.md on a private Slurm, as root
TEXT
}

command=${1:-help}
[ $# -eq 0 ] || shift
case "$command" in
    check-bots) do_check_bots ;;
    check-hostile) do_check_hostile "$@" ;;
    check-page) do_check_page ;;
    check-portable) do_check_portable "$@" ;;
    check-slurm) do_check_slurm ;;
    build | run | test | format | check | analyse | coverage | fuzz | bench | install | deb | page | wheel | help)
        "do_$command" "$@" ;;
    *) do_help >&2; fail "unknown command '$command'" ;;
esac
