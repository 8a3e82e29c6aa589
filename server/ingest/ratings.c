#include "ingest/ratings.h"

#include <stdlib.h>
#include <string.h>

#include "core/rating_file.h"
#include "core/spelling.h"
#include "db/elo.h"
#include "db/identity_changes.h"

#define PERSONS 1000 /* read at a time */
#define BATCH   200  /* histories stored at a time */

/* An identity and the person in the file with its ratings. */
struct match {
    uint32_t in_file;
    int32_t player_id, person;
    int born; /* year; 0: unknown */
    bool by_id;
    const char *name; /* in the file */
};

struct import {
    struct ipr_db *db;
    const char *path, *source;
    ipr_ratings_fault_fn *fault;
    void *arg;
    struct ipr_spelling *spelling;
    struct match *matches; /* sorted by in_file, player_id */
    size_t n_matches, size_matches;
    size_t next; /* index of the current match while ratings are read */
    struct ipr_db_elo_history batch[BATCH];
    struct ipr_arena mem; /* of the batch */
    size_t n_batch;
    int32_t *stored, *changed; /* [n_matches] identities with a history, with a changed one */
    size_t n_stored, n_changed;
    struct ipr_ratings_result result;
};

/* ---- matching of identities
 * ------------------------------------------------------------------------------
 */

static void add_match(struct import *im, const struct ipr_db_elo_identity *who,
                      const struct ipr_spelling_person *is, bool by_id)
{
    if (im->n_matches == im->size_matches) {
        im->size_matches = im->size_matches ? im->size_matches * 2 : 1024;
        im->matches = ipr_xrealloc(im->matches, im->size_matches, sizeof *im->matches);
    }
    im->matches[im->n_matches++] =
        (struct match){ is->person, who->id, who->person, is->born, by_id, is->name };
}

static bool match_ids(struct import *im, const struct ipr_db_elo_identity *who, size_t n)
{
    struct ipr_spelling_person is;
    bool any = false;

    for (size_t i = 0; i < n; i++) {
        if (who[i].fide_id == 0 || !ipr_spelling_by_id(im->spelling, who[i].fide_id, &is))
            continue;
        add_match(im, &who[i], &is, true);
        any = true;
    }
    return any;
}

static void match_names(struct import *im, const struct ipr_db_elo_identity *who, size_t n,
                        struct ipr_arena *mem)
{
    const size_t before = im->n_matches;
    bool has_id = false;

    for (size_t i = 0; i < n; i++)
        has_id |= who[i].fide_id != 0;
    for (size_t i = 0; i < n; i++) {
        struct ipr_spelling_person is;

        if (!ipr_spelling_find(im->spelling, who[i].name_key, 0, mem, &is))
            continue;
        const bool other = im->n_matches > before && im->matches[before].in_file != is.person;
        if (other || (has_id && is.fide_id != 0)) {
            im->n_matches = before;
            return;
        }
        add_match(im, &who[i], &is, false);
    }
}

static int by_place(const void *a, const void *b)
{
    const struct match *l = a, *r = b;

    return l->in_file != r->in_file ? (l->in_file > r->in_file) - (l->in_file < r->in_file)
                                    : (l->player_id > r->player_id) - (l->player_id < r->player_id);
}

static enum ipr_code match_all(struct import *im, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_elo_identity *rows = NULL;
    enum ipr_code rc = IPR_OK;
    size_t n = 1;

    for (int32_t after = 0; rc == IPR_OK && n > 0; after = n > 0 ? rows[n - 1].person : after) {
        ipr_arena_release(&mem);
        rc = ipr_db_elo_people(im->db, after, PERSONS, &mem, &rows, &n, err);
        if (rc != IPR_OK)
            break;
        for (size_t from = 0, to; from < n; from = to) {
            for (to = from + 1; to < n && rows[to].person == rows[from].person;)
                to++;
            im->result.persons++;
            if (!match_ids(im, rows + from, to - from))
                match_names(im, rows + from, to - from, &mem);
        }
    }
    ipr_arena_release(&mem);
    if (im->n_matches > 0)
        qsort(im->matches, im->n_matches, sizeof *im->matches, by_place);
    return rc;
}

/* ---- ratings ----------------------------------------------------------------------------
 */

static enum ipr_code ratings_store(struct import *im, struct ipr_err *err)
{
    int32_t *changed = NULL;
    size_t n = 0;
    const enum ipr_code rc =
        ipr_db_elo_put(im->db, im->batch, im->n_batch, im->source, &im->mem, &changed, &n, err);

    for (size_t i = 0; i < im->n_batch; i++)
        im->stored[im->n_stored++] = im->batch[i].player_id;
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        im->changed[im->n_changed++] = changed[i];
    im->n_batch = 0;
    ipr_arena_release(&im->mem);
    return rc;
}

static enum ipr_code ratings_take(void *arg, const struct ipr_rated *rated, struct ipr_err *err)
{
    struct import *im = arg;
    struct ipr_db_elo_history h = { .listed = NULL };

    while (im->next < im->n_matches && im->matches[im->next].in_file < rated->person)
        im->next++;
    for (const struct match *m; im->next < im->n_matches; im->next++) {
        m = &im->matches[im->next];
        if (m->in_file != rated->person)
            break;
        if (strcmp(m->name, rated->name) != 0)
            return ipr_err_set(err, IPR_ECONFLICT, "%s changed while it was read", im->source);
        if (im->n_batch == BATCH) {
            const enum ipr_code rc = ratings_store(im, err);
            if (rc != IPR_OK)
                return rc;
            h.listed = NULL; /* went with the batch */
        }
        if (h.listed == NULL)
            ipr_db_elo_text(rated->ratings, &im->mem, &h);
        /* A person counts once, however many of its identities are in the file. */
        if (im->next == 0 || m[-1].in_file != m->in_file || m[-1].person != m->person) {
            im->result.by_id += m->by_id;
            im->result.by_name += !m->by_id;
            im->result.ratings += rated->n;
        }
        h.player_id = m->player_id;
        h.by_id = m->by_id;
        h.name = m->name;
        im->batch[im->n_batch++] = h;
    }
    return IPR_OK;
}

static void ratings_note_fault(void *arg, uint32_t line, uint32_t column, const char *word,
                               const char *why)
{
    struct import *im = arg;

    im->result.faults++;
    im->fault(im->arg, line, column, word, why);
}

/* Also of those whose ratings are not in the file: it has the lives of players before Elo. */
static enum ipr_code births_store(struct import *im, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_born *of = ipr_arena_alloc(&mem, im->n_matches + 1, sizeof *of);
    int32_t *changed = NULL;
    size_t n = 0;

    for (size_t i = 0; i < im->n_matches; i++)
        of[i] = (struct ipr_db_born){ im->matches[i].person, im->matches[i].born };
    enum ipr_code rc = ipr_db_born_put(im->db, of, im->n_matches, &mem, &changed, &n, err);
    if (rc == IPR_OK)
        rc = ipr_db_person_touch(im->db, changed, n, err);
    ipr_arena_release(&mem);
    return rc;
}

/* The transaction, which may be retried from the start. */
static enum ipr_code ratings_apply(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct import *im = arg;

    (void)db;
    im->next = im->n_batch = im->n_stored = im->n_changed = 0;
    im->result = (struct ipr_ratings_result){ .persons = im->result.persons };
    ipr_arena_release(&im->mem);
    uint32_t *wanted = ipr_xcalloc(im->n_matches + 1, sizeof *wanted);
    for (size_t i = 0; i < im->n_matches; i++)
        wanted[i] = im->matches[i].in_file;
    const struct ipr_rating_reader reader = { wanted, im->n_matches, ratings_take,
                                              ratings_note_fault, im };
    enum ipr_code rc = ipr_rating_file_read(im->path, &reader, err);
    free(wanted);
    if (rc == IPR_OK)
        rc = ratings_store(im, err);
    if (rc == IPR_OK)
        rc = ipr_db_person_touch(im->db, im->changed, im->n_changed, err);
    if (rc == IPR_OK)
        rc = births_store(im, err);
    if (rc == IPR_OK) {
        struct ipr_arena mem = IPR_ARENA_INIT;
        int32_t *dropped = NULL;
        size_t n = 0;

        rc = ipr_db_elo_keep_only(im->db, im->stored, im->n_stored, &mem, &dropped, &n, err);
        if (rc == IPR_OK)
            rc = ipr_db_person_touch(im->db, dropped, n, err);
        im->result.dropped = n;
        ipr_arena_release(&mem);
    }
    im->result.changed = im->n_changed;
    return rc;
}

enum ipr_code ipr_ratings_import(struct ipr_db *db, const char *path, ipr_ratings_fault_fn *fault,
                                 void *arg, struct ipr_ratings_result *out, struct ipr_err *err)
{
    const char *slash = strrchr(path, '/');
    struct import *im = ipr_xcalloc(1, sizeof *im);

    im->db = db;
    im->path = path;
    im->source = slash != NULL ? slash + 1 : path;
    im->fault = fault;
    im->arg = arg;
    enum ipr_code rc = ipr_spelling_open(path, &im->spelling, err);
    if (rc == IPR_OK)
        rc = match_all(im, err);
    im->stored = ipr_xcalloc(im->n_matches + 1, sizeof *im->stored);
    im->changed = ipr_xcalloc(im->n_matches + 1, sizeof *im->changed);
    if (rc == IPR_OK)
        rc = ipr_db_tx(db, ratings_apply, im, err);
    if (rc == IPR_OK)
        *out = im->result;
    ipr_spelling_close(&im->spelling);
    ipr_arena_release(&im->mem);
    free(im->matches);
    free(im->stored);
    free(im->changed);
    free(im);
    return rc;
}
