/* Estimators that need every line of the engine, on games that were analysed with two lines too. */
#include "lab/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stats/resample.h"

/* A side is known by its Elo, year, colour, and the number of legal moves at each ply: no file of
 * figures has names or moves. */
static uint64_t lines_key(double elo, int year, bool black)
{
    return ipr_mix64((uint64_t)elo << 16 ^ (uint64_t)year << 1 ^ black);
}

static uint64_t lines_key_turn(uint64_t key, unsigned ply, unsigned legal)
{
    return ipr_mix64(key ^ ((uint64_t)ply << 8 | legal));
}

/* Adds the side that begins with turn `from` of a milepost. */
static void lines_side(struct bench_lines *l, size_t milepost, size_t from)
{
    const struct ipr_figures_milepost *m = &l->figures.mileposts[milepost];
    const struct ipr_turn *first = &m->turns[from];
    struct bench_lines_side s = { milepost, from, from,
                                  lines_key(m->elo[from], first->year, first->mover != 0),
                                  BENCH_NO_SIDE };

    while (s.to < m->n && m->turns[s.to].game == first->game &&
           m->turns[s.to].mover == first->mover) {
        s.key = lines_key_turn(s.key, m->turns[s.to].ply, m->turns[s.to].legal);
        s.to++;
    }
    l->side[l->n++] = s;
}

static void lines_sides(struct bench_lines *l)
{
    const struct ipr_figures *f = &l->figures;

    l->side = ipr_xcalloc(f->games + 1, sizeof *l->side);
    for (size_t i = 0; i < f->n; i++)
        for (size_t from = 0; from < f->mileposts[i].n; from = l->side[l->n - 1].to)
            lines_side(l, i, from);
}

static int lines_by_key(const void *a, const void *b)
{
    const struct bench_lines_side *x = a, *y = b;

    return (x->key > y->key) - (x->key < y->key);
}

/* Sets `at` of each side of these figures to the index of the same side in `d`. */
static void lines_match(struct bench_lines *l, const struct bench_data *d)
{
    uint64_t *key = ipr_xcalloc(d->n_sides + 1, sizeof *key);

    for (size_t i = 0; i < d->n_sides; i++)
        key[i] = lines_key(d->side[i].elo, d->side[i].year, i % 2 != 0);
    for (size_t i = 0; i < d->n_turns; i++)
        key[d->of[i]] = lines_key_turn(key[d->of[i]], d->turn[i].ply, d->turn[i].legal);
    qsort(l->side, l->n, sizeof *l->side, lines_by_key);
    for (size_t i = 0; i < d->n_sides; i++) {
        const struct bench_lines_side wanted = { .key = key[i] };
        struct bench_lines_side *found =
            bsearch(&wanted, l->side, l->n, sizeof *l->side, lines_by_key);

        if (found != NULL)
            found->at = i;
    }
    free(key);
}

static enum ipr_code lines_read(struct bench_lines *l, const char *path, struct ipr_err *err)
{
    FILE *in = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    const ssize_t n = in != NULL ? getdelim(&text, &size, '\0', in) : -1;
    crypto_hash_sha256_state state;
    enum ipr_code rc;

    if (in != NULL)
        fclose(in);
    if (n < 0) {
        free(text);
        return ipr_err_set(err, IPR_EPARSE, "%s cannot be read", path);
    }
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const unsigned char *)text, (size_t)n);
    bench_hex(&state, l->digest);
    rc = ipr_figures_read((struct ipr_str){ text, (size_t)n }, &l->mem, &l->figures, err);
    free(text);
    return rc;
}

/* The sides that both have, of players whom no fit used: all tables of `q` are of them. */
static void lines_take(const struct bench_lines *l, struct bench_report *q)
{
    q->take = q->fit = ipr_xcalloc(q->d.n_sides + 1, sizeof *q->take);
    for (size_t i = 0; i < l->n; i++) {
        const size_t at = l->side[i].at;

        if (at != BENCH_NO_SIDE)
            q->take[at] =
                bench_rated(&q->d.side[at]) && (q->d.side[at].blind || !q->d.side[at].blind_game);
    }
}

static json_t *lines_json(const struct bench_lines *l, const struct bench_report *q)
{
    json_int_t sides = 0;
    double moves = 0;

    for (size_t i = 0; i < q->d.n_sides; i++)
        if (q->take[i]) {
            sides++;
            moves += q->d.side[i].moves;
        }
    return json_pack("{s:s, s:I, s:I, s:o, s:o, s:o}", "digest", l->digest, "sides_analysed",
                     (json_int_t)l->n, "sides", sides, "moves", bench_number(moves), "estimators",
                     bench_deviations(q), "sets", bench_sets(q, false));
}

/* Copies the entries of `r` that are compared with those of the papers: those that use neither the
 * opponent's Elo nor results. */
static void lines_entries(const struct bench_report *r, struct bench_report *q)
{
    for (size_t k = 0; k < r->n; k++)
        if (r->entry[k].sets && r->entry[k].uses == NULL && q->n < BENCH_ENTRIES) {
            q->chosen = k == r->chosen ? q->n : q->chosen;
            q->entry[q->n++] = r->entry[k];
        }
}

json_t *bench_lines(const struct bench_report *r, const char *path, struct ipr_err *err)
{
    struct bench_lines l = { .mem = IPR_ARENA_INIT };
    struct bench_report q = { .d = r->d, .prior_mean = r->prior_mean, .prior_sd = r->prior_sd };
    json_t *out = NULL;
    enum ipr_code rc = lines_read(&l, path, err);

    if (rc == IPR_OK) {
        lines_sides(&l);
        lines_match(&l, &r->d);
        lines_take(&l, &q);
        rc = bench_papers(&l, &q, err);
        lines_entries(r, &q);
        bench_report_fit(&q);
        if (rc == IPR_OK)
            out = lines_json(&l, &q);
        json_decref(l.figures.judge_json);
    }
    free(q.take);
    free(l.side);
    ipr_arena_release(&l.mem);
    return out;
}
