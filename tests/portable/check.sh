#!/bin/sh
# Builds turf with gcc and clang at every optimisation level and for arm64, and runs it natively and
# on emulated processors (arm64, x86-64 without AVX2). Each build must pass the tests and play the
# same games to the byte.
#   tests/portable/check.sh [matrix|old-processor|arm64]...     default: all, in build-portable
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
# The quick tests, for every build; games.sh covers the rest.
quick="wol_kernels conformance amoeba battleground stats report process store schedule live_games cli_json_lines cli_errors"
emulated="wol_kernels conformance amoeba stats report process store schedule live_games"

say() { printf '%s\n' "./do check-portable: $*" >&2; }
fail() { say "$*"; exit 1; }

# make FOLDER SETUP-WORD...
make() {
    folder=$1
    shift
    [ -f "$folder/build.ninja" ] || meson setup "$folder" -Dtests=true -Dmpi=disabled "$@" >"$folder.log" 2>&1 ||
        { cat "$folder.log" >&2; fail "the build in $folder cannot be configured"; }
    ninja -C "$folder" >"$folder.log" 2>&1 || { grep -v '^\[' "$folder.log" >&2; fail "the build in $folder failed"; }
}

# games_of FOLDER [WORD...]: of the build in a folder, run by these words.
games_of() {
    of="$root/$1"
    shift
    "$@" "$of/bench/turf-bench" --signature
    tests/portable/games.sh "$@" "$of/turf"
}

# same_games NAME FOLDER [WORD...]: as those of the build that comes first, gcc -O2.
same_games() {
    name=$1
    shift
    make build-portable/gcc-O2 -Doptimization=2
    [ -n "$(find build-portable/games.txt -newer build-portable/gcc-O2/turf 2>/dev/null)" ] ||
        games_of build-portable/gcc-O2 >build-portable/games.txt
    games_of "$@" >"build-portable/games-$name.txt"
    cmp build-portable/games.txt "build-portable/games-$name.txt" || fail "$name plays other games"
    say "$name plays the same games, to the last byte"
}

test_in() {
    folder=$1
    shift
    meson test -C "$folder" --no-rebuild --print-errorlogs "$@" >&2 || fail "tests failed in $folder"
}

matrix() {
    for compiler in gcc clang; do
        for level in 0 1 2 3; do
            name=$compiler-O$level
            say "$name"
            CC=$compiler make "build-portable/$name" "-Doptimization=$level"
            same_games "$name" "build-portable/$name"
            # shellcheck disable=SC2086
            test_in "build-portable/$name" $quick
        done
    done
    for name in gcc-O0 clang-O3; do
        say "$name: all tests"
        test_in "build-portable/$name"
    done
}

# The same program as elsewhere, which has to notice what this processor cannot do.
old_processor() {
    say "a processor of 2008, without AVX2 and BMI2 (qemu-user)"
    for compiler in gcc clang; do
        CC=$compiler make "build-portable/$compiler-O2" -Doptimization=2
        same_games "$compiler-on-nehalem" "build-portable/$compiler-O2" qemu-x86_64 -cpu Nehalem
    done
    for test in wol_kernels amoeba conformance; do
        qemu-x86_64 -cpu Nehalem "build-portable/gcc-O2/tests/test_$test" >&2 || fail "test_$test failed without AVX2"
    done
}

# Unpacks Debian's arm64 libraries into a folder, with a private apt configuration.
arm64_libraries() {
    apt="$root/build-portable/arm64-apt" sys="$root/build-portable/arm64-libraries"
    [ ! -d "$sys" ] || return 0
    say "fetching the libraries for arm64"
    rm -rf "$apt" "$sys.new"
    mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$sys.new"
    : >"$apt/status"
    set -- -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User= \
        -o "Dir::State=$apt/state" -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt/cache"
    apt-get "$@" update >&2
    apt-get "$@" -y --no-install-recommends --download-only install \
        libc6-dev libjansson-dev libsqlite3-dev libseccomp-dev libedit-dev libarchive-dev libmicrohttpd-dev nettle-dev \
        libcmocka-dev >&2
    for package in "$apt"/cache/archives/*.deb; do dpkg-deb -x "$package" "$sys.new"; done
    rm -rf "$apt"
    mv "$sys.new" "$sys"
}

arm64() {
    arm64_libraries
    say "arm64 (qemu-user)"
    cat >build-portable/arm64.ini <<TEXT
[binaries]
c = ['aarch64-linux-gnu-gcc', '--sysroot=$sys']
ar = 'aarch64-linux-gnu-ar'
strip = 'aarch64-linux-gnu-strip'
objcopy = 'aarch64-linux-gnu-objcopy'
pkgconfig = 'pkg-config'
exe_wrapper = ['qemu-aarch64', '-L', '$sys']
[properties]
sys_root = '$sys'
pkg_config_libdir = '$sys/usr/lib/aarch64-linux-gnu/pkgconfig'
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
TEXT
    make build-portable/arm64 --cross-file build-portable/arm64.ini
    # shellcheck disable=SC2086
    test_in build-portable/arm64 --timeout-multiplier 10 $emulated
    same_games arm64 build-portable/arm64 qemu-aarch64 -L "$sys"
}

mkdir -p build-portable
[ $# -gt 0 ] || set -- arm64 old-processor matrix
for part in "$@"; do
    case $part in
        matrix | arm64) "$part" ;;
        old-processor) old_processor ;;
        *) fail "there is no part '$part': matrix, old-processor, arm64" ;;
    esac
done
say "all is well"
