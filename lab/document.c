/* Collects what the benchmark finds in one document: the tables in Markdown and
 * static/validation.json are both made from it. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/version.h"
#include "lab/report.h"

static json_t *document_data(const struct bench_data *d)
{
    json_int_t sides = 0;
    double moves = 0;

    for (size_t i = 0; i < d->n_sides; i++)
        if (bench_rated(&d->side[i])) {
            sides++;
            moves += d->side[i].moves;
        }
    return json_pack("{s:s, s:I, s:I, s:o, s:I}", "digest", d->digest, "games",
                     (json_int_t)d->n_games, "sides", sides, "moves", bench_number(moves),
                     "positions", (json_int_t)d->n_turns);
}

static int split_order(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

/* The blind players: their number, and the digest of their digests, ascending, a line each. */
static json_t *document_split(const struct bench_data *d)
{
    uint32_t *player = malloc(d->n_sides * sizeof *player);
    crypto_hash_sha256_state state;
    char line[16], digest[BENCH_DIGEST];
    json_int_t blind = 0;
    size_t n = 0;

    crypto_hash_sha256_init(&state);
    for (size_t i = 0; player != NULL && i < d->n_sides; i++)
        if (d->side[i].blind)
            player[n++] = d->side[i].player;
    qsort(player, n, sizeof *player, split_order);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && player[i] == player[i - 1])
            continue;
        blind++;
        snprintf(line, sizeof line, "%08x\n", player[i]);
        crypto_hash_sha256_update(&state, (const unsigned char *)line, strlen(line));
    }
    free(player);
    bench_hex(&state, digest);
    return json_pack("{s:i, s:i, s:I, s:s}", "folds", BENCH_FOLDS, "one_blind_of", BENCH_BLIND,
                     "blind_players", blind, "blind_digest", digest);
}

json_t *bench_document(const struct bench_report *r)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:s, s:[]}", "program", IPR_VERSION, "data",
                     document_data(&r->d), "split", document_split(&r->d), "elo",
                     bench_range(1600, 2800), "estimator", r->entry[r->chosen].name, "parts");
}

/* Adds the figures of the sides that curve and spread are fitted to, whichever sides are taken. */
static void part_fits(const struct bench_report *r, json_t *part)
{
    const struct bench_entry *e = &r->entry[r->chosen];

    json_object_set_new(part, "curve", bench_curve(e));
    json_object_set_new(part, "era", bench_era(e));
    json_object_set_new(part, "results", bench_results(r, e));
}

json_t *bench_part(const struct bench_report *r, const char *name, bool fits)
{
    const struct bench_entry *e = &r->entry[r->chosen];
    json_int_t sides = 0;
    double moves = 0;
    json_t *out;

    for (size_t i = 0; i < r->d.n_sides; i++)
        if (r->take[i]) {
            sides++;
            moves += r->d.side[i].moves;
        }
    out =
        json_pack("{s:s, s:I, s:o, s:{s:o, s:o}, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                  "part", name, "sides", sides, "moves", bench_number(moves), "prior", "mean",
                  bench_number(r->prior_mean), "sd", bench_number(r->prior_sd), "estimators",
                  bench_deviations(r), "sets", bench_sets(r, true), "one_game", bench_both(r, e),
                  "spread", bench_spread(r, e), "bias", bench_bias(r, e), "years",
                  bench_years(r, e), "levels", bench_levels(r, e), "effects", bench_effects(r, e),
                  "null_sets", bench_null(r, e), "two_sides", bench_games(r, e));
    if (fits)
        part_fits(r, out);
    return out;
}

#define POOLS_LEAST 30 /* players of a row */

/* Returns the rows of one game and of ten, by moves, and by moves and results. */
static json_t *pools_own(struct bench_report *r)
{
    struct bench_entry e = r->entry[r->chosen];
    json_t *out = json_array();

    for (int k = 0; k < 4; k++) {
        e.results = k > 1;
        json_t *const rows = bench_by_level(r, &e, k % 2 == 0 ? 1 : 10);

        json_array_extend(out, rows);
        json_decref(rows);
    }
    return out;
}

/* Returns the rows of pools of players: those of `files`, but for five games, with those of this
 * benchmark before them. */
json_t *bench_pools(struct bench_report *r, char *const *file, size_t n)
{
    json_t *const out = pools_own(r);

    for (size_t i = 0; i < n; i++) {
        json_error_t why;
        json_t *const rows = json_load_file(file[i], 0, &why), *row;
        size_t k;

        if (rows == NULL) {
            fprintf(stderr, "%s: %s\n", file[i], why.text);
            json_decref(out);
            return NULL;
        }
        json_array_foreach(rows, k, row) {
            if (json_integer_value(json_object_get(row, "games")) != 5 &&
                json_number_value(json_object_get(row, "players")) >= POOLS_LEAST)
                json_array_append(out, row);
        }
        json_decref(rows);
    }
    return out;
}

json_t *bench_cost(const struct bench_report *r)
{
    const size_t n = r->d.n_turns;
    struct bench_features f;
    struct timespec t[2];
    struct ipr_err err;
    double information = 0;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t[0]);
    if (bench_features_make(&r->d, &f, &err) == IPR_OK)
        for (size_t i = 0; i < n; i++)
            information += ipr_strength_score(&r->f.model, f.x[i], f.loss[i]).information;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t[1]);
    bench_features_free(&f);
    return bench_number(information > 0 ? ((double)(t[1].tv_sec - t[0].tv_sec) +
                                           1e-9 * (double)(t[1].tv_nsec - t[0].tv_nsec)) /
                                              (double)n
                                        : NAN);
}
