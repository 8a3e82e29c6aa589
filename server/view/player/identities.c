/* Who is who: pairs to decide about, and what was decided. */
#include <inttypes.h>
#include <string.h>

#include "db/aliases.h"
#include "db/identity_changes.h"
#include "db/similar_pairs.h"
#include "resource/cursor.h"
#include "view/json.h"
#include "view/player/findings.h"
#include "view/rows.h"
#include "view/view.h"

#define CHANGES_BESIDE_PAIRS 20
#define ALIASES_SHOWN        100
#define ALIASES_EXAMINED     2000 /* pairs checked to find them */

static json_t *pair_json(const struct ipr_db_doubtful *d)
{
    json_t *spelled = json_null();

    if (d->spelled[0] != NULL)
        spelled = json_pack("[s, s]", d->spelled[0], d->spelled[1]);
    return json_pack(
        "{s:[o, o], s:s, s:o, s:i}", "players", ipr_row_json(IPR_SHAPE_SIMILAR_PLAYER, &d->a),
        ipr_row_json(IPR_SHAPE_SIMILAR_PLAYER, &d->b), "why", ipr_similarity_name(d->why),
        "spelled", spelled, "common_opponents", (int)d->common_opponents);
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

enum ipr_code ipr_view_identity_changes(const struct ipr_view *v,
                                        const struct ipr_identity_changes_request *p, json_t **out,
                                        struct ipr_err *err)
{
    const size_t limit = (size_t)p->limit;
    struct ipr_db_identity_change *rows = NULL;
    int64_t before = 0;
    size_t n = 0;

    enum ipr_code rc = ipr_param_cursor(p->after, INT64_MAX, &before, err);
    if (rc == IPR_OK)
        rc = ipr_db_identity_changes(v->db, before, 0, p->limit + 1, v->mem, &rows, &n, err);
    if (rc != IPR_OK)
        return rc;
    *out = json_pack("{s:o, s:o}", "changes",
                     ipr_rows_json(IPR_SHAPE_IDENTITY_CHANGE, rows, n < limit ? n : limit), "next",
                     n > limit ? json_sprintf("%" PRId64, rows[limit - 1].id) : json_null());
    return IPR_OK;
}

/* Pairs that are one person according to the spelling file. */
static enum ipr_code add_aliases(const struct ipr_view *v, bool wanted, json_t *out,
                                 struct ipr_err *err)
{
    json_t *list = json_array();
    struct ipr_db_alias *rows = NULL;
    enum ipr_code rc = IPR_OK;
    size_t n = 0;

    json_object_set_new(out, "spelling_file", json_boolean(v->spelling != NULL));
    json_object_set_new(out, "aliases", list);
    if (v->spelling != NULL && wanted)
        rc = ipr_db_aliases(v->db, v->spelling, ALIASES_SHOWN, ALIASES_EXAMINED, v->mem, &rows, &n,
                            err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        json_array_append_new(
            list,
            json_pack("{s:o, s:o}", "player", ipr_row_json(IPR_SHAPE_SIMILAR_PLAYER, &rows[i].who),
                      "into", ipr_row_json(IPR_SHAPE_SIMILAR_PLAYER, &rows[i].into)));
    return rc;
}

/* A page may have fewer pairs than requested, or none, before the end: only a null "next" is the
 * end. */
enum ipr_code ipr_view_doubtful(const struct ipr_view *v, const struct ipr_similar_pairs_request *p,
                                json_t **out, struct ipr_err *err)
{
    struct ipr_db_doubtful_place at, next;
    struct ipr_db_doubtful *rows = NULL;
    const struct ipr_identity_changes_request latest = { .limit = CHANGES_BESIDE_PAIRS };
    size_t n = 0;

    enum ipr_code rc = read_place(p->after, &at, err);
    if (rc == IPR_OK)
        rc = ipr_db_doubtful(v->db, &at, p->limit, v->mem, &rows, &n, &next, err);
    if (rc == IPR_OK)
        rc = ipr_view_identity_changes(v, &latest, out, err);
    if (rc != IPR_OK)
        return rc;
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, pair_json(&rows[i]));
    const char *cursor = next.block != NULL ? ipr_arena_printf(v->mem, "%d-%d-%s", (int)next.a,
                                                               (int)next.b, next.block)
                                            : NULL;
    json_object_set_new(*out, "pairs", list);
    json_object_set_new(*out, "next", ipr_json_text(cursor));
    json_object_set_new(*out, "after", ipr_json_text(p->after));
    rc = add_aliases(v, p->aliases, *out, err);
    json_object_set_new(*out, "finding", json_string(ipr_doubtful_finding(*out, v->mem)));
    return rc;
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
