#include "db/similar_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "core/names.h"
#include "db/pq.h"

#define CHUNK  500 /* candidates a statement */
#define CHUNKS 40  /* statements a call: then an empty page says go on */

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
    const char *key, *name;
};

static void fill_key(struct ipr_db_row *r, void *out)
{
    struct key *k = out;

    k->player_id = ipr_db_col_i32(r, "player_id");
    k->key = ipr_db_col_text(r, "key");
    k->name = ipr_db_col_text(r, "name");
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

/* The two spellings that are most alike. */
struct likeness {
    enum ipr_similarity how;
    const char *name[2];
};

static struct likeness likeness(const struct candidate *c, const struct key *keys, size_t n)
{
    const struct key *end = keys + n;
    struct likeness best = { .how = IPR_SIMILARITY_NOT };

    for (const struct key *a = first_of(keys, n, c->at.a); a < end && a->player_id == c->at.a; a++)
        for (const struct key *b = first_of(keys, n, c->at.b); b < end && b->player_id == c->at.b;
             b++) {
            const enum ipr_similarity how = ipr_name_similarity(a->key, b->key);

            if (how != IPR_SIMILARITY_NOT && (best.how == IPR_SIMILARITY_NOT || how < best.how))
                best = (struct likeness){ how, { a->name, b->name } };
        }
    return best;
}

/* ---- evidence ---------------------------------------------------------------------------------
 */

static void fill_evidence(struct ipr_db_row *r, void *out)
{
    struct ipr_db_evidence *e = out;

    e->met = ipr_db_col_bool(r, "met");
    e->two_fide_ids = ipr_db_col_bool(r, "two_fide_ids");
    e->opponents = ipr_db_col_i32(r, "opponents");
}

enum ipr_code ipr_db_pair_evidence(struct ipr_db *db, int32_t a, int32_t b,
                                   struct ipr_db_evidence *out, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, a);
    ipr_db_p_int(&p, b);
    return ipr_db_one(db, IPR_Q_PAIR_EVIDENCE, &p, NULL, sizeof *out, fill_evidence, out,
                      "evidence", err);
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

/* Says why of the names that will be shown; of the spellings where only these are alike. */
static void explain(struct ipr_db_doubtful *d, const struct likeness *found, struct ipr_arena *mem)
{
    const char *a, *b;

    d->why = IPR_SIMILARITY_NOT;
    d->spelled[0] = d->spelled[1] = NULL;
    if (ipr_name_key(d->a.name, mem, &a, NULL) == IPR_OK &&
        ipr_name_key(d->b.name, mem, &b, NULL) == IPR_OK)
        d->why = ipr_name_similarity(a, b);
    if (d->why != IPR_SIMILARITY_NOT)
        return;
    d->why = found->how;
    d->spelled[0] = found->name[0];
    d->spelled[1] = found->name[1];
}

/* One pair at a time: a page has few, and stops when it is full. False in *listed for a pair that
 * is none after all. */
static enum ipr_code examine(struct ipr_db *db, const struct candidate *c,
                             const struct likeness *found, struct ipr_arena *mem,
                             struct ipr_db_doubtful *out, bool *listed, struct ipr_err *err)
{
    struct ipr_db_array both = { 0 };
    struct ipr_db_params p = { 0 };
    struct ipr_db_evidence e;
    void *list = NULL;
    size_t n = 0;

    enum ipr_code rc = ipr_db_pair_evidence(db, c->person[0], c->person[1], &e, err);
    *listed = false;
    if (rc != IPR_OK || e.met || e.two_fide_ids)
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
    explain(out, found, mem);
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
        if (is_listed(rows, *n_rows, &c[i]))
            continue;
        const struct likeness found = likeness(&c[i], keys, n_keys);
        if (found.how != IPR_SIMILARITY_NOT)
            rc = examine(db, &c[i], &found, mem, row, &listed, err);
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
