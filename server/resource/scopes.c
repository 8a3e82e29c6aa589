#include "resource/scopes.h"

#include <stdio.h>
#include <string.h>

static const char *const names[] = { "read", "upload", "judge", "admin" };

static unsigned scope_named(struct ipr_str name)
{
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (ipr_str_is(name, names[i]))
            return 1U << i;
    return 0;
}

bool ipr_scopes_read(struct ipr_str list, unsigned *out)
{
    unsigned got = 0;

    for (;;) {
        const char *comma = memchr(list.p, ',', list.n);
        const size_t n = comma != NULL ? (size_t)(comma - list.p) : list.n;
        const unsigned scope = scope_named((struct ipr_str){ list.p, n });

        if (scope == 0)
            return false;
        got |= scope;
        if (comma == NULL)
            break;
        list.p += n + 1;
        list.n -= n + 1;
    }
    *out = got;
    return true;
}

void ipr_scopes_text(unsigned scopes, char out[IPR_SCOPES_TEXT])
{
    size_t n = 0;

    out[0] = '\0';
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (scopes & 1U << i)
            n += (size_t)snprintf(out + n, IPR_SCOPES_TEXT - n, "%s%s", n > 0 ? "," : "", names[i]);
}
