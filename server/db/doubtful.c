#include "db/doubtful.h"

#include <stdlib.h>
#include <string.h>

#include "core/names.h"
#include "db/pq.h"

#define CHUNK  500 /* candidates a statement */
#define CHUNKS 40  /* statements a call: then an empty page says go on */

const char *ipr_doubt_name(enum ipr_doubt d)
{
    static const char *const names[] = { "same_name", "signs", "order", "given_names" };

    return names[d];
}

/* ---- pairs that share a surname ---------------------------------------------------------------
 */

struct candidate {
    struct ipr_db_doubtful_place at;
    int32_t person[2];
};

static void fill_candidate(struct ipr_db_row *r, void *out)
{
    struct candidate *c = out;

    c->at.block = ipr_db_col_text(r, "block");
    c->at.a = ipr_db_col_i32(r, "a");
    c->at.b = ipr_db_col_i32(r, "b");
    c->person[0] = ipr_db_col_i32(r, "a_person");
    c->person[1] = ipr_db_col_i32(r, "b_person");
}

static enum ipr_code candidates(struct ipr_db *db, const struct ipr_db_doubtful_place *after,
                                struct ipr_arena *mem, struct candidate **out, size_t *n,
                                struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    ipr_db_p_text(&p, after->block);
    ipr_db_p_int(&p, after->a);
    ipr_db_p_int(&p, after->b);
    ipr_db_p_int(&p, CHUNK);
    const enum ipr_code rc = ipr_db_list(db, IPR_Q_DOUBTFUL_CANDIDATES, &p, mem, sizeof **out,
                                         fill_candidate, &list, n, err);
    if (rc == IPR_OK)
        *out = list;
    return rc;
}

/* ---- names that fit ---------------------------------------------------------------------------
 */

struct key {
    int32_t player_id;
    const char *key;
};

static void fill_key(struct ipr_db_row *r, void *out)
{
    struct key *k = out;

    k->player_id = ipr_db_col_i32(r, "player_id");
    k->key = ipr_db_col_text(r, "key");
}

static enum ipr_code keys_of(struct ipr_db *db, const struct candidate *c, size_t n,
                             struct ipr_arena *mem, struct key **out, size_t *n_keys,
                             struct ipr_err *err)
{
    struct ipr_db_array ids = { 0 };
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    for (size_t i = 0; i < n; i++) {
        ipr_db_array_int(&ids, c[i].at.a);
        ipr_db_array_int(&ids, c[i].at.b);
    }
    ipr_db_p_array_take(&p, &ids);
    const enum ipr_code rc =
        ipr_db_list(db, IPR_Q_IDENTITY_KEYS, &p, mem, sizeof **out, fill_key, &list, n_keys, err);
    if (rc == IPR_OK)
        *out = list;
    return rc;
}

/* Keys come by ascending player. */
static const struct key *first_of(const struct key *keys, size_t n, int32_t player)
{
    size_t lo = 0, hi = n;

    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;

        if (keys[mid].player_id < player)
            lo = mid + 1;
        else
            hi = mid;
    }
    return keys + lo;
}

/* False when they do not fit. */
static bool doubt_of(const char *a, const char *b, struct ipr_arena *mem, enum ipr_doubt *why)
{
    if (strcmp(a, b) == 0)
        *why = IPR_DOUBT_SAME_NAME;
    else if (!ipr_names_fit(a, b))
        return false;
    else if (strcmp(ipr_name_fold(a, mem), ipr_name_fold(b, mem)) == 0)
        *why = IPR_DOUBT_SIGNS;
    else if ((strchr(a, ',') == NULL) != (strchr(b, ',') == NULL))
        *why = IPR_DOUBT_ORDER;
    else
        *why = IPR_DOUBT_GIVEN_NAMES;
    return true;
}

/* The strongest reason that any two of their spellings give. */
static bool fit(const struct candidate *c, const struct key *keys, size_t n, struct ipr_arena *mem,
                enum ipr_doubt *why)
{
    const struct key *end = keys + n;
    bool any = false;

    for (const struct key *a = first_of(keys, n, c->at.a); a < end && a->player_id == c->at.a; a++)
        for (const struct key *b = first_of(keys, n, c->at.b); b < end && b->player_id == c->at.b;
             b++) {
            enum ipr_doubt one;

            if (!doubt_of(a->key, b->key, mem, &one))
                continue;
            if (!any || one < *why)
                *why = one;
            any = true;
        }
    return any;
}

/* ---- evidence ---------------------------------------------------------------------------------
 */

struct evidence {
    bool met;
    int32_t opponents;
};

static void fill_evidence(struct ipr_db_row *r, void *out)
{
    struct evidence *e = out;

    e->met = ipr_db_col_bool(r, "met");
    e->opponents = ipr_db_col_i32(r, "opponents");
}

static void fill_suspect(struct ipr_db_row *r, void *out)
{
    struct ipr_db_suspect *s = out;

    s->id = ipr_db_col_i32(r, "id");
    s->name = ipr_db_col_text(r, "name");
    s->fide_id = ipr_db_col_i32_or(r, "fide_id", 0);
    s->games = ipr_db_col_i32(r, "games");
    s->first_year = ipr_db_col_i32(r, "first_year");
    s->last_year = ipr_db_col_i32(r, "last_year");
    s->elo_low = ipr_db_col_i32(r, "elo_low");
    s->elo_high = ipr_db_col_i32(r, "elo_high");
}

/* One pair at a time: a page has few, and stops when it is full. False in *listed for a pair that
 * is none after all. */
static enum ipr_code examine(struct ipr_db *db, const struct candidate *c, struct ipr_arena *mem,
                             struct ipr_db_doubtful *out, bool *listed, struct ipr_err *err)
{
    struct ipr_db_array a = { 0 }, b = { 0 }, both = { 0 };
    struct ipr_db_params p = { 0 };
    struct evidence e = { 0 };
    void *list = NULL;
    size_t n = 0;

    ipr_db_array_int(&a, c->person[0]);
    ipr_db_array_int(&b, c->person[1]);
    ipr_db_p_array_take(&p, &a);
    ipr_db_p_array_take(&p, &b);
    enum ipr_code rc =
        ipr_db_one(db, IPR_Q_PAIR_EVIDENCE, &p, NULL, sizeof e, fill_evidence, &e, "evidence", err);
    *listed = false;
    if (rc != IPR_OK || e.met)
        return rc;
    ipr_db_array_int(&both, c->person[0]);
    ipr_db_array_int(&both, c->person[1]);
    ipr_db_p_array_take(&p, &both);
    rc = ipr_db_list(db, IPR_Q_PERSON_FACTS, &p, mem, sizeof(struct ipr_db_suspect), fill_suspect,
                     &list, &n, err);
    if (rc != IPR_OK || n != 2)
        return rc;
    const struct ipr_db_suspect *s = list;

    out->a = s[0];
    out->b = s[1];
    out->common_opponents = e.opponents;
    *listed = s[0].games > 0 && s[1].games > 0;
    return IPR_OK;
}

static bool is_listed(const struct ipr_db_doubtful *rows, size_t n, const struct candidate *c)
{
    for (size_t i = 0; i < n; i++)
        if ((rows[i].a.id == c->person[0] && rows[i].b.id == c->person[1]) ||
            (rows[i].a.id == c->person[1] && rows[i].b.id == c->person[0]))
            return true;
    return false;
}

/* The pairs of one chunk that are worth a look, until the page is full. */
static enum ipr_code take(struct ipr_db *db, const struct candidate *c, size_t n, int limit,
                          struct ipr_arena *mem, struct ipr_db_doubtful *rows, size_t *n_rows,
                          struct ipr_db_doubtful_place *next, struct ipr_err *err)
{
    struct key *keys = NULL;
    size_t n_keys = 0;
    enum ipr_code rc = keys_of(db, c, n, mem, &keys, &n_keys, err);

    for (size_t i = 0; rc == IPR_OK && i < n && *n_rows < (size_t)limit; i++) {
        struct ipr_db_doubtful *row = &rows[*n_rows];
        bool listed = false;

        *next = c[i].at;
        if (!is_listed(rows, *n_rows, &c[i]) && fit(&c[i], keys, n_keys, mem, &row->why))
            rc = examine(db, &c[i], mem, row, &listed, err);
        *n_rows += listed;
    }
    return rc;
}

enum ipr_code ipr_db_doubtful(struct ipr_db *db, const struct ipr_db_doubtful_place *after,
                              int limit, struct ipr_arena *mem, struct ipr_db_doubtful **rows,
                              size_t *n, struct ipr_db_doubtful_place *next, struct ipr_err *err)
{
    struct ipr_db_doubtful *out = ipr_arena_alloc(mem, (size_t)limit, sizeof *out);
    struct ipr_db_doubtful_place at = *after;
    enum ipr_code rc = IPR_OK;
    size_t found = 0, n_rows = 0;

    for (int i = 0; rc == IPR_OK && i < CHUNKS && n_rows < (size_t)limit; i++) {
        struct candidate *c = NULL;

        rc = candidates(db, &at, mem, &c, &found, err);
        if (rc == IPR_OK && found > 0)
            rc = take(db, c, found, limit, mem, out, &n_rows, &at, err);
        if (found < CHUNK)
            break;
    }
    if (rc != IPR_OK)
        return rc;
    if (found < CHUNK && n_rows < (size_t)limit)
        at.block = NULL;
    *rows = out;
    *n = n_rows;
    *next = at;
    return IPR_OK;
}
