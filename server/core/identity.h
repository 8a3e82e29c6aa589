#ifndef IPR_CORE_IDENTITY_H
#define IPR_CORE_IDENTITY_H

#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"

struct ipr_spelling; /* core/spelling.h */

/** Who a game says played: by FIDE id when tagged, else by the normalised name. Never a guess. */
struct ipr_identity {
    const char *name;   /* as it will be shown; "?" for nobody */
    const char *key;    /* normalised (core/names.h); "" for nobody: no name is given */
    const char *tagged; /* key of the name as it was tagged; differs from `key` when the spelling
                           file knows a better one */
    const char *tagged_name; /* of which `tagged` is the key; "?" for nobody */
    int32_t fide_id;         /* 0: none */
};

/** Two mentions are the same identity. */
bool ipr_identity_same(const struct ipr_identity *a, const struct ipr_identity *b);

/**
 * The identity behind a White or Black tag and its FideId tag. `spelling` may be NULL; where it
 * knows whose name it is (core/spelling.h), `name` and `key` are the canonical ones and a missing
 * FIDE id comes from there. A tagged id has the last word: a name that the file gives to somebody
 * without that id stays as it is. The year of the game plays no part: a name means the same in
 * every game. Missing names ("", "?", "-") and names of nobody (ipr_name_of_nobody) are nobody, no
 * error. IPR_EPARSE "name_too_long". All in mem, or as long as `spelling`.
 */
IPR_CHECK enum ipr_code ipr_identity_make(struct ipr_str name, struct ipr_str fide_id,
                                          const struct ipr_spelling *spelling,
                                          struct ipr_arena *mem, struct ipr_identity *out,
                                          struct ipr_err *err);

#endif
