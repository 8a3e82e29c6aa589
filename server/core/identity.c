#include "core/identity.h"

#include <string.h>

#include "core/names.h"
#include "core/spelling.h"

static bool says_number(struct ipr_str s, int32_t *out)
{
    int64_t v;

    if (!ipr_str_int(ipr_str_trim(s), 1, INT32_MAX, &v))
        return false;
    *out = (int32_t)v;
    return true;
}

static enum ipr_code identity_correct(const struct ipr_spelling *spelling, struct ipr_arena *mem,
                                      struct ipr_identity *who, struct ipr_err *err)
{
    struct ipr_spelling_person p;

    if (!ipr_spelling_find(spelling, who->key, who->fide_id, mem, &p))
        return IPR_OK;
    who->name = p.name;
    who->fide_id = p.fide_id;
    return ipr_name_key(p.name, mem, &who->key, err);
}

enum ipr_code ipr_identity_make(struct ipr_str name, struct ipr_str fide_id,
                                const struct ipr_spelling *spelling, struct ipr_arena *mem,
                                struct ipr_identity *out, struct ipr_err *err)
{
    struct ipr_err cause = IPR_ERR_INIT;
    struct ipr_identity who = { .name = "?", .key = "", .tagged = "", .tagged_name = "?" };

    if (!says_number(fide_id, &who.fide_id))
        who.fide_id = 0;
    *out = who;
    who.name = who.tagged_name = ipr_arena_strndup(mem, name.p, name.n);
    const enum ipr_code rc = ipr_name_key(who.name, mem, &who.key, &cause);
    if (rc == IPR_EPARSE && strcmp(cause.type, "no_player") == 0)
        return IPR_OK;
    if (rc != IPR_OK)
        return ipr_err_type(err, rc, cause.type, "%s", cause.msg);
    if (ipr_name_of_nobody(who.key))
        return IPR_OK;
    who.tagged = who.key;
    *out = who;
    return spelling != NULL ? identity_correct(spelling, mem, out, err) : IPR_OK;
}
