#!/bin/sh
# localize.sh ARCHIVE OUTPUT FOLDER OBJCOPY AR COMPILER...: the library as one object in which what is hidden is local, so
# that a program that links it statically meets turf_... and no other name of ours.
set -eu
archive=$1 output=$2 object=$3/turf.o objcopy=$4 ar=$5
shift 5
mkdir -p "$(dirname "$object")"
"$@" -r -nostdlib -o "$object" -Wl,--whole-archive "$archive" -Wl,--no-whole-archive
"$objcopy" --localize-hidden "$object"
rm -f "$output"
"$ar" rcsD "$output" "$object"
