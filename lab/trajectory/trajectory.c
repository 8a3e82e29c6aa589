/*
 * Strength over time: reads analysed games of careers from standard input, writes tables in
 * Markdown to standard output and those that /validation shows to FILE. --model=FILE writes the
 * constants as C initialisers; tables are those of the constants that were compiled.
 * docs/trajectory.md describes the protocol.
 */
#include <gsl/gsl_errno.h>
#include <string.h>

#include "lab/trajectory/trajectory.h"

static bool model_write(const struct ipr_trajectory_model *m, const char *path)
{
    FILE *const out = fopen(path, "w");

    if (out == NULL)
        return false;
    fprintf(out, ".walk = %.3g, .rise = %.3g, .damping = %.3g,\n", m->walk, m->rise, m->damping);
    return fclose(out) == 0;
}

static void data_print(const struct careers *c, json_t *out)
{
    size_t sides = 0, years = 0;
    double moves = 0;

    for (size_t i = 0; i < c->n; i++) {
        sides += c->career[i].n;
        years += c->career[i].years;
        for (size_t k = 0; k < c->career[i].n; k++)
            moves += c->career[i].side[k].moves;
    }
    printf("%zu players, %zu years, %zu games of one of them, %.0f moves that count.\n", c->n,
           years, sides, moves);
    json_object_set_new(out, "players", json_integer((json_int_t)c->n));
}

static bool tables_print(const struct careers *c, const char *path)
{
    json_t *const out = json_object();
    struct forecasts f;

    data_print(c, out);
    constants_print(c);
    f = forecasts_make(c);
    forecasts_print(&f, out);
    points_print(&f, out);
    halves_print(c, out);
    forecasts_free(&f);
    speed_print();
    const bool ok = json_dump_file(out, path, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0;
    json_decref(out);
    return ok;
}

int main(int argc, char **argv)
{
    static const char option[] = "--model=";
    struct ipr_err err = IPR_ERR_INIT;
    struct careers c;
    bool ok = true;

    gsl_set_error_handler_off();
    if (argc != 2) {
        fputs("usage: trajectory --model=FILE|FILE <GAMES.ndjson\n", stderr);
        return 1;
    }
    if (careers_read(stdin, &c, &err) != IPR_OK) {
        fprintf(stderr, "trajectory: %s\n", err.msg);
        return 1;
    }
    if (strncmp(argv[1], option, strlen(option)) == 0) {
        const struct ipr_trajectory_model m = constants_fit(&c, NULL, CONSTANTS_TREND).model;

        ok = model_write(&m, argv[1] + strlen(option));
    } else {
        ok = tables_print(&c, argv[1]);
    }
    careers_free(&c);
    return ok ? 0 : 1;
}
