#!/bin/sh
# fishnet_engine.sh [ENGINE] - an engine of plain chess for fishnet 1.18, which starts only with one that has
# lichess's variants: it says that it has them. This service hands out chess and Chess960 alone.
#
#   fishnet --stockfish-command /usr/share/intrinsic/setup/fishnet_engine.sh --endpoint http://HOST:8080/fishnet --key KEY
set -eu
said='var chess var giveaway var atomic var crazyhouse var horde var kingofthehill var racingkings var 3check'
"${1:-/usr/games/stockfish}" | sed -u -e '/^option name UCI_Variant /d' \
    -e "s/^uciok/option name UCI_Variant type combo default chess $said\n&/"
