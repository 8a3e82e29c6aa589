/*
 * The benchmark of playing strength: figures on standard input, tables in Markdown on standard
 * output. docs/benchmark.md describes the protocol. Options: --variants, chains of fewer features
 * as well; --blind, the table of the blind players; --entry=FILE, the answers of another program: a
 * CSV of side (two a game in the order of the file, White first), score, information; --open, no
 * player is held out; --model=FILE, the chosen estimator as JSON (with --open what ships).
 */
#include <getopt.h>
#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "benchmark/report.h"

struct options {
    bool variants, blind, open;
    const char *model, *entry[8];
    size_t entries;
};

static bool options_read(int argc, char **argv, struct options *o)
{
    static const struct option known[] = {
        { "variants", no_argument, NULL, 'v' },    { "blind", no_argument, NULL, 'b' },
        { "entry", required_argument, NULL, 'e' }, { "open", no_argument, NULL, 'o' },
        { "model", required_argument, NULL, 'm' }, { 0 },
    };
    int c;

    while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
        o->variants |= c == 'v';
        o->blind |= c == 'b';
        o->open |= c == 'o';
        if (c == 'm')
            o->model = optarg;
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

int main(int argc, char **argv)
{
    struct options o = { 0 };
    struct bench_report r = { .n = 0 };
    const struct bench_entry *chain;

    gsl_set_error_handler_off();
    if (!options_read(argc, argv, &o) || !benchmark_read(&r, &o))
        return 1;
    bench_report_take(&r, o.blind);
    bench_report_fit(&r);
    bench_report_opponent(&r, &r.entry[r.n - 1]);
    bench_report_fit(&r);
    chain = &r.entry[r.n - 2];
    bench_table_deviations(&r, r.n - 2);
    bench_table_sets(&r, o.entries, r.n - 4);
    bench_table_both(&r, chain);
    bench_table_curve(&r, chain);
    bench_table_residuals(&r, chain);
    bench_table_null(&r, chain);
    bench_line_games(&r, chain);
    bench_table_results(&r, chain);
    return o.model == NULL || bench_model_write(&r, chain, o.model) ? 0 : 1;
}
