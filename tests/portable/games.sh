#!/bin/sh
# Plays what must come out the same, to the last byte, whatever compiler made turf and whatever processor runs it.
#   tests/portable/games.sh COMMAND...     the words that run turf
# Rules, kernels, searches by depth, trees of playouts (which calculate with fractions), ratings, the store, bots.
set -eu
folder=$(mktemp -d "${TMPDIR:-/tmp}/turf-games-XXXXXX")
trap 'rm -rf "$folder"' EXIT
export TURF_DB="$folder/turf.db"

bot=""
for word in "$@"; do bot="$bot'$word' "; done

# Moves, not only results: the first games of each pairing are written out below. Bots are called by their command.
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
