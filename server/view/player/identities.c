/* Who is who: pairs to decide about, and what was decided. */
#include <inttypes.h>
#include <string.h>

#include "db/aliases.h"
#include "db/identity_changes.h"
#include "db/similar_pairs.h"
#include "resource/cursor.h"
#include "view/player/findings.h"
#include "view/rows.h"
#include "view/view.h"

#define CHANGES_BESIDE_PAIRS 20
#define ALIASES_SHOWN        100
#define ALIASES_EXAMINED     2000 /* pairs checked to find them */

static struct ipr_answer_similar_pair pair_of(struct ipr_db_doubtful *d, struct ipr_arena *mem)
{
    struct ipr_db_suspect *const two = ipr_arena_alloc(mem, 2, sizeof *two);

    two[0] = d->a;
    two[1] = d->b;
    return (struct ipr_answer_similar_pair){
        .players = { two, 2 },
        .why = ipr_similarity_name(d->why),
        .spelled = { d->spelled[0] != NULL ? d->spelled : NULL, 2 },
        .common_opponents = d->common_opponents,
    };
}

/* "a-b-surname" of the last pair seen; NULL is the start. */
static enum ipr_code read_place(const char *after, struct ipr_db_doubtful_place *out,
                                struct ipr_err *err)
{
    const char *rest = after;
    int64_t id[2];

    *out = (struct ipr_db_doubtful_place){ "", 0, 0 };
    if (after == NULL || *after == '\0')
        return IPR_OK;
    for (int i = 0; i < 2; i++) {
        const char *dash = strchr(rest, '-');

        if (dash == NULL ||
            !ipr_str_int((struct ipr_str){ rest, (size_t)(dash - rest) }, 1, INT32_MAX, &id[i]))
            return ipr_param_refuse_cursor(err, after);
        rest = dash + 1;
    }
    *out = (struct ipr_db_doubtful_place){ rest, (int32_t)id[0], (int32_t)id[1] };
    return IPR_OK;
}

enum ipr_code ipr_fill_identity_changes(const struct ipr_view *v,
                                        const struct ipr_identity_changes_request *p,
                                        struct ipr_answer_identity_changes *out,
                                        struct ipr_err *err)
{
    const size_t limit = (size_t)p->limit;
    struct ipr_db_identity_change *rows = NULL;
    int64_t before = 0;
    size_t n = 0;

    enum ipr_code rc = ipr_param_cursor(p->after, INT64_MAX, &before, err);
    if (rc == IPR_OK)
        rc = ipr_db_identity_changes(v->db, before, 0, p->limit + 1, v->mem, &rows, &n, err);
    if (rc == IPR_OK && n > limit)
        out->next = ipr_arena_printf(v->mem, "%" PRId64, rows[limit - 1].id);
    out->changes.at = rows;
    out->changes.n = n < limit ? n : limit;
    return rc;
}

/* Pairs that are one person according to the spelling file. */
static enum ipr_code aliases_fill(const struct ipr_view *v, struct ipr_list_alias *out,
                                  struct ipr_err *err)
{
    struct ipr_db_alias *rows = NULL;

    const enum ipr_code rc = ipr_db_aliases(v->db, v->spelling, ALIASES_SHOWN, ALIASES_EXAMINED,
                                            v->mem, &rows, &out->n, err);
    if (rc != IPR_OK)
        return rc;
    out->at = ipr_arena_alloc(v->mem, out->n + 1, sizeof *out->at);
    for (size_t i = 0; i < out->n; i++)
        out->at[i] = (struct ipr_answer_alias){ &rows[i].who, &rows[i].into };
    return rc;
}

/* A page may have fewer pairs than requested, or none, before the end: only a null "next" is the
 * end. */
enum ipr_code ipr_fill_doubtful(const struct ipr_view *v, const struct ipr_similar_pairs_request *p,
                                struct ipr_answer_similar_pairs *out, struct ipr_err *err)
{
    struct ipr_db_doubtful_place at, next;
    struct ipr_db_doubtful *rows = NULL;
    struct ipr_db_identity_change *changes = NULL;
    size_t n = 0;

    enum ipr_code rc = read_place(p->after, &at, err);
    if (rc == IPR_OK)
        rc = ipr_db_doubtful(v->db, &at, p->limit, v->mem, &rows, &n, &next, err);
    if (rc == IPR_OK)
        rc = ipr_db_identity_changes(v->db, 0, 0, CHANGES_BESIDE_PAIRS, v->mem, &changes,
                                     &out->changes.n, err);
    if (rc == IPR_OK && v->spelling != NULL && p->aliases)
        rc = aliases_fill(v, &out->aliases, err);
    if (rc != IPR_OK)
        return rc;
    out->changes.at = changes;
    out->spelling_file = v->spelling != NULL;
    out->pairs.at = ipr_arena_alloc(v->mem, n + 1, sizeof *out->pairs.at);
    out->pairs.n = n;
    for (size_t i = 0; i < n; i++)
        out->pairs.at[i] = pair_of(&rows[i], v->mem);
    if (next.block != NULL)
        out->next = ipr_arena_printf(v->mem, "%d-%d-%s", (int)next.a, (int)next.b, next.block);
    out->after = p->after;
    out->finding = ipr_doubtful_finding(out, v->mem);
    return IPR_OK;
}

enum ipr_code ipr_view_identity_change(const struct ipr_view *v,
                                       const struct ipr_identity_change_request *p, json_t **out,
                                       struct ipr_err *err)
{
    struct ipr_db_identity_change c;

    const enum ipr_code rc = ipr_db_identity_change_get(v->db, p->change, v->mem, &c, err);
    if (rc == IPR_OK)
        *out = ipr_row_json(IPR_SHAPE_IDENTITY_CHANGE, &c);
    return rc;
}
