#ifndef IPR_CORE_NAMES_H
#define IPR_CORE_NAMES_H

#include "base/error.h"
#include "base/mem.h"

#define IPR_NAME_MAX 200 /* bytes of a player's name */

/** What makes two spellings of a name one player: NFC, case folded, runs of white space and of
 * "." one space, no space around ",", trimmed, characters nobody sees (zero width) left out.
 * "Fischer,  Robert J." and "fischer, robert j" agree; "Fischer, R" does not: nothing is merged
 * by guess. IPR_EPARSE when empty or "?" ("no_player"), longer than IPR_NAME_MAX
 * ("name_too_long") or not UTF-8 ("bad_name"). */
IPR_CHECK enum ipr_code ipr_name_key(const char *name, struct ipr_arena *mem, const char **out,
                                     struct ipr_err *err);

#endif
