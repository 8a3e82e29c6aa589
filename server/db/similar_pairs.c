#include "db/similar_pairs.h"

#include "core/names.h"
#include "queries/similar_pairs_inside.h"

#define CHUNK  500 /* candidates per statement */
#define CHUNKS 40  /* statements per call: after them an empty page means that there may be more */

/* ---- names that fit ---------------------------------------------------------------------------
 */

/* Keys come by ascending player. */
static const struct ipr_db_identity_key *first_of(const struct ipr_db_identity_key *keys, size_t n,
                                                  int32_t player)
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

/* The two most similar spellings. */
struct likeness {
    enum ipr_similarity how;
    const char *name[2];
};

/* The reason refers to the names that are shown, or to the spellings if only these are similar. */
static void explain_similarity(struct ipr_db_doubtful *d, const struct likeness *found,
                               struct ipr_arena *mem)
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

/* One pair at a time: a page has few, and reading stops when it is full. *listed is false for a
 * pair that is rejected. */
static enum ipr_code examine_pair(struct ipr_db *db, const struct ipr_db_doubtful_candidate *c,
                                  const struct likeness *found, struct ipr_arena *mem,
                                  struct ipr_db_doubtful *out, bool *listed, struct ipr_err *err)
{
    struct ipr_db_suspect *s = NULL;
    struct ipr_db_evidence e;
    size_t n = 0;

    enum ipr_code rc = ipr_db_pair_evidence(db, c->person[0], c->person[1], &e, err);
    *listed = false;
    if (rc != IPR_OK || e.met || e.two_fide_ids)
        return rc;
    rc = ipr_db_person_facts(db, c->person, 2, mem, &s, &n, err);
    if (rc != IPR_OK || n != 2)
        return rc;
    out->a = s[0];
    out->b = s[1];
    out->common_opponents = e.opponents;
    explain_similarity(out, found, mem);
    *listed = s[0].games > 0 && s[1].games > 0;
    return IPR_OK;
}

static bool pair_is_listed(const struct ipr_db_doubtful *rows, size_t n,
                           const struct ipr_db_doubtful_candidate *c)
{
    for (size_t i = 0; i < n; i++)
        if ((rows[i].a.id == c->person[0] && rows[i].b.id == c->person[1]) ||
            (rows[i].a.id == c->person[1] && rows[i].b.id == c->person[0]))
            return true;
    return false;
}

/* The similar pairs of one chunk, until the page is full. */
static enum ipr_code pairs_of_chunk(struct ipr_db *db, const struct ipr_db_doubtful_candidate *c,
                                    size_t n, int limit, struct ipr_arena *mem,
                                    struct ipr_db_doubtful *rows, size_t *n_rows,
                                    struct ipr_db_doubtful_place *next, struct ipr_err *err)
{
    struct ipr_db_identity_key *keys = NULL;
    size_t n_keys = 0;
    int32_t *ids = ipr_arena_alloc(mem, 2 * n, sizeof *ids);
    for (size_t i = 0; i < n; i++) {
        ids[2 * i] = c[i].a;
        ids[2 * i + 1] = c[i].b;
    }
    enum ipr_code rc = ipr_db_identity_keys(db, ids, 2 * n, mem, &keys, &n_keys, err);

    for (size_t i = 0; rc == IPR_OK && i < n && *n_rows < (size_t)limit; i++) {
        struct ipr_db_doubtful *row = &rows[*n_rows];
        bool listed = false;

        *next = (struct ipr_db_doubtful_place){ c[i].block, c[i].a, c[i].b };
        if (pair_is_listed(rows, *n_rows, &c[i]))
            continue;
        const struct ipr_db_identity_key *end = keys + n_keys;
        struct likeness found = { .how = IPR_SIMILARITY_NOT };
        for (const struct ipr_db_identity_key *a = first_of(keys, n_keys, c[i].a);
             a < end && a->player_id == c[i].a; a++)
            for (const struct ipr_db_identity_key *b = first_of(keys, n_keys, c[i].b);
                 b < end && b->player_id == c[i].b; b++) {
                const enum ipr_similarity how = ipr_name_similarity(a->key, b->key);

                if (how != IPR_SIMILARITY_NOT &&
                    (found.how == IPR_SIMILARITY_NOT || how < found.how))
                    found = (struct likeness){ how, { a->name, b->name } };
            }
        if (found.how != IPR_SIMILARITY_NOT)
            rc = examine_pair(db, &c[i], &found, mem, row, &listed, err);
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
        struct ipr_db_doubtful_candidate *c = NULL;

        rc = ipr_db_doubtful_candidates(db, at.block, at.a, at.b, CHUNK, mem, &c, &found, err);
        if (rc == IPR_OK && found > 0)
            rc = pairs_of_chunk(db, c, found, limit, mem, out, &n_rows, &at, err);
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
