#!/bin/sh
# Fetches the sources of Jansson and SQLite from Debian, which has them built for Linux only.
#   src/wasm/fetch.sh FOLDER     fills FOLDER/jansson and FOLDER/sqlite, unless they are there
# A list of sources of our own leaves the machine's as they are.
set -eu
folder=$1
[ ! -f "$folder/done" ] || exit 0
mkdir -p "$folder/lists/partial" "$folder/jansson" "$folder/sqlite"
cd "$folder"
here=$PWD
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    grep -m1 '/debian/*$' || true)
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
    "${mirror:-http://deb.debian.org/debian} bookworm main" >sources.list
fetch() {
    apt-get -qq -o Dir::Etc::SourceList="$here/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$here/lists" -o Dir::Cache="$here" -o APT::Sandbox::User=root "$@"
}
fetch update
fetch --download-only source jansson sqlite3
mkdir -p unpacked
tar -x -C unpacked -f jansson_*.orig.tar.gz
tar -x -C unpacked -f "$(ls sqlite3_*.orig.tar.xz)"
cp unpacked/jansson-*/src/*.[ch] jansson/
touch jansson/jansson_private_config.h # meson.build says what configure would find
cp "$(find /usr/include -name jansson_config.h | head -n 1)" jansson/
# One file of all of SQLite, as its authors make it.
mkdir -p amalgamation
(cd amalgamation && ../unpacked/sqlite3-*/configure --disable-tcl && make sqlite3.c) >log 2>&1 ||
    { tail -n 20 log >&2; exit 1; }
cp amalgamation/sqlite3.c amalgamation/sqlite3.h sqlite/
rm -rf unpacked amalgamation
touch done
