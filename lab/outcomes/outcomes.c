/*
 * Models of results: reads static/results/champions.tsv from standard input, writes tables in
 * Markdown to standard output. --model=FILE writes the chosen constants as C initialisers.
 * docs/results.md describes the protocol.
 */
#include <gsl/gsl_errno.h>
#include <string.h>

#include "lab/outcomes/outcomes.h"

static bool outcomes_write(const struct ipr_whr_options *o, const struct ipr_whr_scale_options *s,
                           const struct ipr_outcome_model *m, double elo_se, const char *path)
{
    FILE *out = fopen(path, "w");

    if (out == NULL)
        return false;
    fprintf(out,
            ".history = { .drift = %.9g, .draw = %.9g, .dispersion = %.9g, .virtual_games = %.9g,\n"
            ".white = %.9g, .white_sd = %.9g },\n",
            o->drift, o->draw, o->dispersion, o->virtual_games, o->white, o->white_sd);
    fprintf(out,
            ".scale = { .years = %d, .games = %.9g, .ratings = %zu, .players = %zu,\n"
            ".plain = %.9g, .drift = %.9g, .mean = %s, .step = %s },\n",
            s->years, s->games, s->ratings, s->players, s->plain, s->drift,
            s->mean ? "true" : "false", s->step ? "true" : "false");
    fputs(".outcome = { .term = {", out);
    for (size_t k = 0; k < IPR_OUTCOME_TERMS; k++)
        fprintf(out, "%s%.9g", k == 0 ? " " : k % 6 == 0 ? ",\n" : ", ", m->term[k]);
    fprintf(out, " }, .davidson = %s },\n", m->davidson ? "true" : "false");
    fprintf(out, ".elo_se = %.9g,\n", elo_se);
    return fclose(out) == 0;
}

int main(int argc, char **argv)
{
    static const char option[] = "--model=";
    struct result_rows rows;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_whr fit;
    struct ipr_whr_options history;
    struct ipr_whr_scale_options scale;
    struct ipr_outcome_model outcome;
    double elo_se;
    bool ok;

    gsl_set_error_handler_off();
    if (argc > 2 || (argc == 2 && strncmp(argv[1], option, strlen(option)) != 0)) {
        fputs("usage: outcomes [--model=FILE] <champions.tsv\n", stderr);
        return 1;
    }
    if (!result_rows_read(stdin, &rows)) {
        fputs("outcomes: not rows of results\n", stderr);
        return 1;
    }
    history = history_run(&rows, &mem, &fit);
    scale = scale_run(&rows, &fit);
    ipr_arena_release(&mem);
    outcome = chances_run(&rows, &elo_se);
    ok = argc < 2 || outcomes_write(&history, &scale, &outcome, elo_se, argv[1] + strlen(option));
    result_rows_free(&rows);
    return ok ? 0 : 1;
}
