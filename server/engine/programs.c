#include "engine/programs.h"

#include <string.h>

#include "base/str.h"
#include "engine/process.h"

#define NAME_MAX_BYTES 31 /* of judge_definition.program */

static enum ipr_code programs_bad(struct ipr_err *err, struct ipr_str entry, const char *what)
{
    return ipr_err_set(err, IPR_EPARSE, "INTRINSIC_ENGINES: \"%.*s\" %s",
                       (int)(entry.n < 80 ? entry.n : 80), entry.p, what);
}

static bool program_is_name(struct ipr_str s)
{
    if (s.n == 0 || s.n > NAME_MAX_BYTES || s.p[0] == '-' || s.p[0] == '_')
        return false;
    for (size_t i = 0; i < s.n; i++) {
        if (memchr("abcdefghijklmnopqrstuvwxyz0123456789_-", s.p[i], 38) == NULL)
            return false;
    }
    return true;
}

static bool is_taken(const struct ipr_programs *p, struct ipr_str name)
{
    if (ipr_str_is(name, "stockfish") || ipr_str_is(name, "fishnet"))
        return true;
    for (size_t i = 0; i < p->n; i++) {
        if (ipr_str_is(name, p->program[i].name))
            return true;
    }
    return false;
}

static enum ipr_code read_entry(struct ipr_str entry, struct ipr_arena *mem,
                                struct ipr_programs *out, struct ipr_err *err)
{
    const char *equals = memchr(entry.p, '=', entry.n);
    const char *path;

    if (equals == NULL)
        return programs_bad(err, entry, "is not name=path");
    const struct ipr_str name = { entry.p, (size_t)(equals - entry.p) };
    if (!program_is_name(name))
        return programs_bad(err, entry,
                            "has a name other than [a-z0-9][a-z0-9_-]*, at most 31 long");
    if (is_taken(out, name))
        return programs_bad(err, entry, "has a name that is already used");
    if (out->n == IPR_PROGRAMS_MAX)
        return programs_bad(err, entry, "is one engine too many");
    const char *given = ipr_arena_strndup(mem, equals + 1, entry.n - name.n - 1);
    if (given[0] == '\0' || ipr_engine_find(given, mem, &path, NULL) != IPR_OK)
        return programs_bad(err, entry, "does not name an executable file");
    out->program[out->n++] = (struct ipr_program){ ipr_arena_strndup(mem, name.p, name.n), path };
    return IPR_OK;
}

enum ipr_code ipr_programs_read(const char *stockfish_path, const char *engines,
                                struct ipr_arena *mem, struct ipr_programs *out,
                                struct ipr_err *err)
{
    struct ipr_programs p = { .n = 0 };
    struct ipr_err why = IPR_ERR_INIT;
    const char *path;
    enum ipr_code rc = IPR_OK;

    while (rc == IPR_OK && engines != NULL && *engines != '\0') {
        const size_t n = strcspn(engines, ",");

        rc = read_entry(ipr_str_trim((struct ipr_str){ engines, n }), mem, &p, err);
        engines += n + (engines[n] == ',');
    }
    if (rc != IPR_OK)
        return rc;
    rc = ipr_engine_find(stockfish_path, mem, &path, &why);
    if (rc == IPR_OK) {
        memmove(p.program + 1, p.program, p.n++ * sizeof *p.program);
        p.program[0] = (struct ipr_program){ "stockfish", path };
    } else if (p.n == 0 || (stockfish_path != NULL && stockfish_path[0] != '\0')) {
        return ipr_err_type(err, rc, why.type, "%s", why.msg);
    }
    *out = p;
    return IPR_OK;
}

const char *ipr_programs_path(const struct ipr_programs *p, const char *name)
{
    for (size_t i = 0; i < p->n; i++) {
        if (strcmp(p->program[i].name, name) == 0)
            return p->program[i].path;
    }
    return NULL;
}
