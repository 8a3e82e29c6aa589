#include "db/aliases.h"

#include <stdlib.h>

#include "db/identity_changes.h"
#include "queries/aliases_inside.h"
#include "queries/identity_changes_inside.h"
#include "queries/similar_pairs_inside.h"

#define PAGE    10000 /* persons per statement */
#define ELO_FAR 250   /* mean Elo of one person's identities differs by less */

/* A stored person whose name can only mean one person of the file. */
struct named {
    uint32_t person; /* index in the file */
    bool whole;      /* identified by the whole name or the FIDE id, not by a short form */
    int32_t id, fide_id;
    int64_t games;
    int elo;
};

struct named_list {
    struct named *items;
    size_t n, size;
};

/* By person of the file; within one, the first is the one that the others are merged into. */
static int named_by_person(const void *a, const void *b)
{
    const struct named *l = a, *r = b;

    if (l->person != r->person)
        return l->person < r->person ? -1 : 1;
    if (l->whole != r->whole)
        return l->whole ? -1 : 1;
    if ((l->fide_id != 0) != (r->fide_id != 0))
        return l->fide_id != 0 ? -1 : 1;
    if (l->games != r->games)
        return l->games > r->games ? -1 : 1;
    return (l->id > r->id) - (l->id < r->id);
}

static void take_person(const struct ipr_spelling *s, const struct ipr_db_named_person *p,
                        struct ipr_arena *mem, struct named_list *out)
{
    struct ipr_spelling_person is, same;

    if (p->first_year == 0 ||
        !ipr_spelling_alive(s, p->key, p->fide_id, p->first_year, p->last_year, mem, &is))
        return;
    const bool whole = p->fide_id != 0 ||
                       (ipr_spelling_find(s, p->key, 0, mem, &same) && same.person == is.person);
    if (out->n == out->size) {
        out->size = out->size != 0 ? 2 * out->size : 1024;
        out->items = ipr_xrealloc(out->items, out->size, sizeof *out->items);
    }
    out->items[out->n++] = (struct named){ is.person, whole, p->id, p->fide_id, p->games, p->elo };
}

static enum ipr_code read_named(struct ipr_db *db, const struct ipr_spelling *s,
                                struct named_list *out, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    int32_t after = 0;
    size_t n = PAGE;

    while (rc == IPR_OK && n == PAGE) {
        struct ipr_arena mem = IPR_ARENA_INIT;
        struct ipr_db_named_person *p = NULL;

        rc = ipr_db_named_persons(db, after, PAGE, &mem, &p, &n, err);
        for (size_t i = 0; rc == IPR_OK && i < n; i++) {
            take_person(s, &p[i], &mem, out);
            after = p[i].id;
        }
        ipr_arena_release(&mem);
    }
    if (rc == IPR_OK && out->n > 1)
        qsort(out->items, out->n, sizeof *out->items, named_by_person);
    return rc;
}

static bool alias_likely(const struct named *a, const struct named *into)
{
    return a != into && into->whole && a->person == into->person &&
           (a->elo == 0 || into->elo == 0 || abs(a->elo - into->elo) <= ELO_FAR);
}

static enum ipr_code alias_certain(struct ipr_db *db, const struct named *a,
                                   const struct named *into, bool *certain, struct ipr_err *err)
{
    struct ipr_db_evidence e;
    bool distinct = false;
    int64_t id;

    enum ipr_code rc = ipr_db_pair_evidence(db, a->id, into->id, &e, err);
    if (rc == IPR_OK)
        rc = ipr_db_distinct_between(db, a->id, into->id, &distinct, &id, err);
    *certain = rc == IPR_OK && !e.met && !e.two_fide_ids && !distinct;
    return rc;
}

/* Called for each pair to merge; *go_on is true and may be set to false. */
typedef enum ipr_code (*pair_fn)(struct ipr_db *db, const struct named *a, const struct named *into,
                                 void *arg, bool *go_on, struct ipr_err *err);

/* Calls fn for each alias; checks at most `examined` pairs in the database. */
static enum ipr_code each_alias(struct ipr_db *db, const struct ipr_spelling *s, size_t examined,
                                pair_fn fn, void *arg, struct ipr_err *err)
{
    struct named_list list = { 0 };
    enum ipr_code rc = read_named(db, s, &list, err);
    bool go_on = true;

    for (size_t i = 0, into = 0; rc == IPR_OK && go_on && examined > 0 && i < list.n; i++) {
        bool certain = false;

        if (list.items[i].person != list.items[into].person)
            into = i;
        if (!alias_likely(&list.items[i], &list.items[into]))
            continue;
        examined--;
        rc = alias_certain(db, &list.items[i], &list.items[into], &certain, err);
        if (rc == IPR_OK && certain)
            rc = fn(db, &list.items[i], &list.items[into], arg, &go_on, err);
    }
    free(list.items);
    return rc;
}

/* ---- listing ---- */

struct listing {
    struct ipr_db_alias *rows;
    size_t n, limit;
    struct ipr_arena *mem;
};

static enum ipr_code list_pair(struct ipr_db *db, const struct named *a, const struct named *into,
                               void *arg, bool *go_on, struct ipr_err *err)
{
    struct listing *l = arg;
    struct ipr_db_suspect *s = NULL;
    size_t n = 0;

    const enum ipr_code rc =
        ipr_db_person_facts(db, (int32_t[]){ a->id, into->id }, 2, l->mem, &s, &n, err);
    if (rc == IPR_OK && n == 2)
        l->rows[l->n++] = (struct ipr_db_alias){ s[0], s[1] };
    *go_on = l->n < l->limit;
    return rc;
}

enum ipr_code ipr_db_aliases(struct ipr_db *db, const struct ipr_spelling *spelling, size_t limit,
                             size_t examined, struct ipr_arena *mem, struct ipr_db_alias **rows,
                             size_t *n, struct ipr_err *err)
{
    struct listing l = { ipr_arena_alloc(mem, limit, sizeof *l.rows), 0, limit, mem };
    const enum ipr_code rc = each_alias(db, spelling, examined, list_pair, &l, err);

    *rows = l.rows;
    *n = l.n;
    return rc;
}

/* ---- merging ---- */

struct merging {
    const struct ipr_spelling *spelling;
    const char *by;
    int64_t batch;
    int32_t merged;
};

/* Skips a pair that can no longer be merged: earlier merges of this batch may have joined
 * identities that played each other. */
static enum ipr_code merge_pair(struct ipr_db *db, const struct named *a, const struct named *into,
                                void *arg, bool *go_on, struct ipr_err *err)
{
    struct merging *m = arg;
    struct ipr_err why = IPR_ERR_INIT;
    int64_t change = 0;
    enum ipr_code rc = ipr_db_merge_in_tx(db, a->id, into->id, m->by, &change, &why);

    *go_on = true;
    if (rc == IPR_ECONFLICT)
        return IPR_OK;
    if (rc != IPR_OK) {
        *err = why;
        return rc;
    }
    if (m->batch == 0)
        m->batch = change;
    m->merged++;
    return ipr_db_change_batch(db, change, m->batch, err);
}

static enum ipr_code merge_all(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct merging *m = arg;

    m->batch = 0;
    m->merged = 0;
    return each_alias(db, m->spelling, SIZE_MAX, merge_pair, m, err);
}

enum ipr_code ipr_db_aliases_merge(struct ipr_db *db, const struct ipr_spelling *spelling,
                                   const char *by, int64_t *batch, int32_t *merged,
                                   struct ipr_err *err)
{
    struct merging m = { .spelling = spelling, .by = by };
    const enum ipr_code rc = ipr_db_tx(db, merge_all, &m, err);

    *batch = m.batch;
    *merged = m.merged;
    return rc;
}
