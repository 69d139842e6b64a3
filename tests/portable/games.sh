#!/bin/sh
# Plays games whose output must be the same to the byte for every compiler and processor: rules,
# kernels, fixed-depth searches, MCTS (floating point), ratings, store, bots.
#   tests/portable/games.sh COMMAND...     COMMAND runs turf
set -eu
folder=$(mktemp -d "${TMPDIR:-/tmp}/turf-games-XXXXXX")
trap 'rm -rf "$folder"' EXIT
export TURF_DB="$folder/turf.db"

bot=""
for word in "$@"; do bot="$bot'$word' "; done

# Compares moves too, not only results: the first games of each pairing are exported below.
play() {
    "$@" --seed 7 --json --no-times --record 2 -q | sed 's/"bot:[^"]*"/"bot"/g'
}

play "$@" match war-of-life random random -n 20000
play "$@" match amoeba-wars random random -n 2000
play "$@" tournament war-of-life -n 6
play "$@" tournament amoeba-wars -n 2 --size 5
play "$@" tournament squirrel-war -n 2
play "$@" match ai-battleground settler land-grab -n 2 --start 24x24
play "$@" match war-of-life mcts:sims=200 alphabeta:depth=3 -n 2
play "$@" match amoeba-wars mcts:sims=200 alphabeta:depth=3 -n 2 --size 6
play "$@" match squirrel-war mcts:sims=200 alphabeta:depth=4 -n 2
play "$@" match war-of-life "bot:${bot}bot wol minimax" bloodlust -n 1 --sandbox off
play "$@" match squirrel-war "bot:${bot}bot sw minimax" bloodlust -n 1 --sandbox off
for run in 2 3 4 5 6 7 8 9; do # numbers of games are as threads take them
    "$@" export "$run" --no-times -q | sed 's/^{"id":[0-9]*,/{/'
done
