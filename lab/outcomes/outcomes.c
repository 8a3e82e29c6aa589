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
            ".white = %.9g, .white_sd = %.9g, .level = %.9g, .elo_sd = %.9g, .below = %.9g,\n"
            ".below_all = %.9g, .early = %.9g, .early_periods = %d },\n",
            o->drift, o->draw, o->dispersion, o->virtual_games, o->white, o->white_sd, o->level,
            o->elo_sd, o->below, o->below_all, o->early, o->early_periods);
    fprintf(out,
            ".scale = { .ratings = %zu, .players = %zu, .games = %.9g, .sd = %.9g,\n"
            ".drift = %.9g },\n",
            s->ratings, s->players, s->games, s->sd, s->drift);
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
    history = history_run(&rows);
    scale = anchors_run(&rows, &history);
    outcome = chances_run(&rows, &elo_se);
    ok = argc < 2 || outcomes_write(&history, &scale, &outcome, elo_se, argv[1] + strlen(option));
    result_rows_free(&rows);
    return ok ? 0 : 1;
}
