#ifndef IPR_CORE_IDENTITY_H
#define IPR_CORE_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"

struct ipr_spelling; /* core/spelling.h */

/** A player as named in a game: by FIDE id if tagged, else by the normalised name. Never a guess.
 */
struct ipr_identity {
    const char *name;   /* as it is shown; "?" for nobody */
    const char *key;    /* normalised (core/names.h); "" for nobody */
    const char *tagged; /* key of the name as tagged; differs from `key` if the spelling file has a
                           canonical one */
    const char *tagged_name; /* of which `tagged` is the key; "?" for nobody */
    int32_t fide_id;         /* 0: none */
    bool set_aside;          /* the one tagged is somebody else's */
};

/**
 * The identity behind a White or Black tag and its FideId tag. `spelling` may be NULL; if it
 * identifies the name (core/spelling.h), `name` and `key` are the canonical ones and a missing FIDE
 * id is taken from there. A tagged id has precedence: a name that the file gives to a person
 * without that id is unchanged. The year of the game does not matter: a name means the same person
 * in every game. Missing names ("", "?", "-") and names of nobody (ipr_name_of_nobody) are nobody,
 * no error. IPR_EPARSE "name_too_long". All in mem, or as long as `spelling`.
 */
IPR_CHECK enum ipr_code ipr_identity_make(struct ipr_str name, struct ipr_str fide_id,
                                          const struct ipr_spelling *spelling,
                                          struct ipr_arena *mem, struct ipr_identity *out,
                                          struct ipr_err *err);

#endif
