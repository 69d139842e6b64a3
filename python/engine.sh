#!/bin/sh
# engine.sh SOURCE OUTPUT: builds the shared library of the source tree and copies it to OUTPUT.
set -eu
source=$1 output=$2
build=$(dirname "$output")/engine
# A compiler that warns of more than ours is no reason to fail.
[ -f "$build/build.ninja" ] || meson setup "$build" "$source" -Dtests=false -Dmpi=disabled \
    -Dwerror=false --buildtype=release
library=$(ninja -C "$build" -t targets all | sed -n 's/^\(libturf\.so\.[0-9.]*\): .*/\1/p' | head -n 1)
ninja -C "$build" "$library"
cp "$build/$library" "$output"
