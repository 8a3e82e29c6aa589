/* `intrinsic fetch`: the program beside this one does it. */
#include "command/command.h"

const struct ipr_command ipr_command_fetch = {
    .name = "fetch",
    .words = "[OPTION]... lichess:NAME|chesscom:NAME",
    .help = "write the games of a player on lichess.org or chess.com to a PGN file, for `rate` or "
            "`import` (docs/fetch.md); its options: intrinsic fetch --help",
    .program = "intrinsic-fetch",
};
