/*
 * The benchmark of playing strength: reads figures from standard input, writes tables in Markdown
 * to standard output. docs/benchmark.md describes the protocol.
 *
 *   --variants       also evaluate chains with fewer features
 *   --blind          print the tables of the blind players
 *   --both           print the tables of all other players and of the blind players
 *   --entry=FILE     also evaluate the answers of another program: a CSV of side (two per game in
 *                    the order of the file, White first), score, information
 *   --open           hold out no player
 *   --json=FILE      write the contents of the tables as JSON
 *   --lines=FILE     figures of a calibration with many lines, for estimators that need them
 *   --searches=FILE  the JSON written by searches.mjs
 *   --evals=FILE     instead, fit and compare the rating from one evaluation a move; FILE: written
 * by evals.mjs
 *   --pool=FILE      also the rows by level of a pool, as `pool` writes them
 *   --neighbours=FILE  also a pool's estimates beside formulas of others, as `pool` writes them
 *   --trajectory=FILE  also how strength over time predicts, as `trajectory` writes it
 *   --planted        also how often the test of an event finds engine users planted in it
 *   --time           measure the time of the chosen estimator
 *   --model=FILE     instead, write the chosen estimator as C initialisers; with --open, the
 * shipped one
 */
#include <getopt.h>
#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab/evals.h"
#include "lab/planted.h"

struct options {
    bool variants, blind, both, open, time, planted;
    const char *model, *json, *lines, *searches, *neighbours, *trajectory, *evals, *entry[8];
    char *pool[16]; /* files of rows by level */
    size_t entries, pools;
};

static bool options_read(int argc, char **argv, struct options *o)
{
    static const struct option known[] = {
        { "variants", no_argument, NULL, 'v' },
        { "blind", no_argument, NULL, 'b' },
        { "entry", required_argument, NULL, 'e' },
        { "open", no_argument, NULL, 'o' },
        { "model", required_argument, NULL, 'm' },
        { "both", no_argument, NULL, '2' },
        { "json", required_argument, NULL, 'j' },
        { "lines", required_argument, NULL, 'l' },
        { "planted", no_argument, NULL, 'd' },
        { "time", no_argument, NULL, 't' },
        { "evals", required_argument, NULL, 'f' },
        { "searches", required_argument, NULL, 's' },
        { "pool", required_argument, NULL, 'p' },
        { "neighbours", required_argument, NULL, 'n' },
        { "trajectory", required_argument, NULL, 'y' },
        { 0 },
    };
    int c;

    while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
        o->variants |= c == 'v';
        o->blind |= c == 'b';
        o->open |= c == 'o';
        o->both |= c == '2';
        o->time |= c == 't';
        o->planted |= c == 'd';
        if (c == 'm')
            o->model = optarg;
        if (c == 'j')
            o->json = optarg;
        if (c == 'l')
            o->lines = optarg;
        if (c == 'f')
            o->evals = optarg;
        if (c == 's')
            o->searches = optarg;
        if (c == 'n')
            o->neighbours = optarg;
        if (c == 'y')
            o->trajectory = optarg;
        if (c == 'p' && o->pools < sizeof o->pool / sizeof *o->pool)
            o->pool[o->pools++] = optarg;
        if (c == '?' || (c == 'e' && o->entries == sizeof o->entry / sizeof *o->entry))
            return false;
        if (c == 'e')
            o->entry[o->entries++] = optarg;
    }
    return optind == argc;
}

static bool benchmark_read(struct bench_report *r, const struct options *o)
{
    struct ipr_err err;

    if (!bench_data_read(&r->d))
        return false;
    if (o->open)
        bench_report_open(r);
    r->take = calloc(r->d.n_sides, sizeof *r->take);
    r->fit = calloc(r->d.n_sides, sizeof *r->fit);
    if (r->take == NULL || r->fit == NULL || bench_features_make(&r->d, &r->f, &err) != IPR_OK)
        return false;
    for (size_t i = 0; i < o->entries; i++)
        if (!bench_report_read(r, o->entry[i])) {
            fprintf(stderr, "%s: not a CSV of side, score, information\n", o->entry[i]);
            return false;
        }
    return bench_report_entries(r, o->variants, &err) == IPR_OK;
}

static void benchmark_add(struct bench_report *r, bool blind, const char *name, json_t *document)
{
    bench_report_take(r, blind);
    json_array_append_new(json_object_get(document, "parts"), bench_part(r, name, !blind));
}

/* false, and said: the file is not one of figures. */
static bool benchmark_lines(const struct bench_report *r, const char *path, json_t *document)
{
    struct ipr_err err = IPR_ERR_INIT;
    json_t *lines = bench_lines(r, path, &err);

    if (lines == NULL)
        fprintf(stderr, "%s: %s\n", path, err.msg);
    return lines != NULL && json_object_set_new(document, "same_games", lines) == 0;
}

/* Takes the file, NULL for none, into the document; prints an error and returns false if it is not
 * JSON. */
static bool benchmark_file(const char *path, const char *name, json_t *document)
{
    json_error_t why;
    json_t *what;

    if (path == NULL)
        return true;
    what = json_load_file(path, 0, &why);
    if (what == NULL)
        fprintf(stderr, "%s: %s\n", path, why.text);
    return what != NULL && json_object_set_new(document, name, what) == 0;
}

static void benchmark_fit(struct bench_report *r)
{
    bench_report_take(r, false);
    bench_report_fit(r);
    bench_results_fit(r, &r->entry[r->chosen]);
    bench_report_opponent(r, &r->entry[r->chosen]);
    bench_report_fit(r);
}

/* Without the tables. */
static bool benchmark_model(struct bench_report *r, const char *path)
{
    const struct bench_entry *const e = &r->entry[r->chosen];

    benchmark_fit(r);
    bench_report_take(r, false);
    json_t *null_sets = bench_null(r, e);
    const bool ok = bench_model_write(r, e, null_sets, path);
    json_decref(null_sets);
    return ok;
}

static json_t *benchmark_run(struct bench_report *r, const struct options *o)
{
    json_t *out = bench_document(r);

    benchmark_fit(r);
    if (!o->blind)
        benchmark_add(r, false, o->open ? "all" : "cross_validated", out);
    if (o->blind || o->both)
        benchmark_add(r, true, "blind", out);
    if (o->time)
        json_object_set_new(out, "seconds_a_move", bench_cost(r));
    if (o->planted)
        json_object_set_new(out, "planted", bench_planted(r));
    json_object_set_new(out, "by_level", bench_pools(r, o->pool, o->pools));
    return out;
}

/* Six digits: what libraries of mathematics differ in is behind them. */
static bool benchmark_write(const json_t *document, const char *path)
{
    return json_dump_file(document, path, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0;
}

static bool benchmark_evals(struct bench_report *r, const struct options *o)
{
    struct ipr_err err = IPR_ERR_INIT;

    if (!bench_data_read(&r->d))
        return false;
    if (o->open)
        bench_report_open(r);
    if (bench_evals(r, o->evals, o->model, &err))
        return true;
    fprintf(stderr, "%s: %s\n", o->evals, err.msg);
    return false;
}

int main(int argc, char **argv)
{
    struct options o = { 0 };
    struct bench_report r = { .n = 0 };
    json_t *document;
    bool ok;

    gsl_set_error_handler_off();
    if (!options_read(argc, argv, &o))
        return 1;
    if (o.evals != NULL)
        return benchmark_evals(&r, &o) ? 0 : 1;
    if (!benchmark_read(&r, &o))
        return 1;
    if (o.model != NULL)
        return benchmark_model(&r, o.model) ? 0 : 1;
    document = benchmark_run(&r, &o);
    ok = json_is_array(json_object_get(document, "by_level")) &&
         (o.lines == NULL || benchmark_lines(&r, o.lines, document)) &&
         benchmark_file(o.neighbours, "neighbours", document) &&
         benchmark_file(o.trajectory, "trajectory", document) &&
         benchmark_file(o.searches, "searches", document);
    bench_words(document);
    bench_markdown(document);
    ok = ok && (o.json == NULL || benchmark_write(document, o.json));
    json_decref(document);
    return ok ? 0 : 1;
}
