/*
 * A scale of ratings for a pool of players: reads PGN with evaluations and ratings from standard
 * input, or figures of games that the engine setting `rating` has analysed, prints how good the
 * estimates are on players not fitted to, and writes the constants.
 *
 *     pool [--figures] --knots=700,1000,... [--model=FILE.inc] [--pool=NAME --json=FILE]
 *          [--between=VARIANCE] [--neighbours=FILE]
 *     pool --standard=FIGURES [--model=FILE.inc] [--pool=NAME --json=FILE]
 *
 * The second form: games over the board at another speed, whose scale is that of the standard games
 * of the same players, shifted.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lab/bands.h"
#include "lab/pool/pool.h"
#include "lab/report.h"

static void pool_write_sides(FILE *out, const struct ipr_side_model *m)
{
    fputs("static const struct ipr_boost_tree tree[] = {\n", out);
    pool_write_trees(out, &m->boost);
    fputs("};\n", out);
    fputs("static const struct ipr_side_opening opening[] = {\n", out);
    for (size_t i = 0; i < m->openings; i++) {
        fprintf(out, "{ %uu,", m->opening[i].key);
        pool_write_float(out, " ", m->opening[i].elo, 4);
        fputs(i % 4 == 3 ? " },\n" : " }, ", out);
    }
    fprintf(out,
            "\n};\nstatic const struct ipr_side_model sides = {\n"
            ".boost = { %.9g, %zu, tree }, .openings = %zu, .opening = opening,\n"
            ".mean = %.9g\n};\n",
            m->boost.mean, m->boost.n, m->openings, m->mean);
}

bool pool_write(const struct pool_model *m, const struct pool_scale *scale,
                const struct ipr_strength_null null[IPR_STRENGTH_NULLS], const char *path)
{
    FILE *const out = fopen(path, "w");

    if (out == NULL)
        return false;
    if (m != NULL)
        pool_write_sides(out, &m->model);
    pool_write_scale(out, m != NULL ? ".alone = true,\n.sides = &sides,\n" : ".alone = true,\n",
                     scale, null);
    return fclose(out) == 0;
}

/* The output: the name of the pool in rows, and files or NULL. */
struct pool_output {
    const char *pool, *model, *json, *neighbours;
};

static bool pool_dump(json_t *what, const char *path)
{
    const bool ok =
        path == NULL || json_dump_file(what, path, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0;

    json_decref(what);
    return ok;
}

static bool pool_run(struct pool_sides *s, const double *knot, size_t knots,
                     const struct pool_output *to)
{
    struct pool_model *const m = ipr_xcalloc(1, sizeof *m);
    bool *const take = ipr_xcalloc(s->n, sizeof *take);
    struct ipr_strength_null null[IPR_STRENGTH_NULLS] = { { 0 } };
    struct pool_scale scale, half[2];
    bool ok;

    for (size_t i = 0; i < s->n; i++)
        take[i] = true;
    m->model.mean = pool_mean(s, take);
    if (s->features != NULL)
        pool_held_out(s, m->model.mean);
    pool_halves(s, knot, knots, half);
    json_t *const rows = pool_tables(s, half, to->pool, s->features != NULL ? "files" : "moves");
    if (to->json == NULL)
        bench_bands_markdown(rows);
    ok = pool_dump(rows, to->json) &&
         (s->neighbour == NULL || pool_dump(pool_compare(s, half, to->pool), to->neighbours));
    if (s->features == NULL)
        pool_null(s, half, null);
    if (ok && to->model != NULL) {
        pool_calibrate(s, take, knot, knots, &scale);
        if (s->features != NULL)
            pool_fit(s, take, m);
        ok = pool_write(s->features != NULL ? m : NULL, &scale, null, to->model);
    }
    free(take);
    free(m);
    return ok;
}

/* The games of standard input, and what they are compared with. */
static bool pool_read_pairs(struct pool_sides *s, struct pool_sides *standard, const char *path)
{
    if (!pool_read_figures(s) || freopen(path, "r", stdin) == NULL || !pool_read_figures(standard))
        return false;
    pool_pair(s, standard);
    return true;
}

int main(int argc, char **argv)
{
    double knot[IPR_STRENGTH_KNOTS];
    struct pool_sides s = { .n = 0 }, standard = { .n = 0 };
    struct pool_output to = { .pool = "" };
    const char *paired = NULL;
    bool figures = false, ok;
    double between = 0;
    size_t knots = 0;

    for (int i = 1; i < argc; i++) {
        figures = figures || strcmp(argv[i], "--figures") == 0;
        if (strncmp(argv[i], "--knots=", 8) == 0)
            knots = pool_knots(argv[i] + 8, knot);
        else if (strncmp(argv[i], "--model=", 8) == 0)
            to.model = argv[i] + 8;
        else if (strncmp(argv[i], "--json=", 7) == 0)
            to.json = argv[i] + 7;
        else if (strncmp(argv[i], "--neighbours=", 13) == 0)
            to.neighbours = argv[i] + 13;
        else if (strncmp(argv[i], "--between=", 10) == 0)
            between = strtod(argv[i] + 10, NULL);
        else if (strncmp(argv[i], "--pool=", 7) == 0)
            to.pool = argv[i] + 7;
        else if (strncmp(argv[i], "--standard=", 11) == 0)
            paired = argv[i] + 11;
    }
    if (knots < 2 && paired == NULL) {
        fputs("usage: pool [--figures] --knots=LOW,...,HIGH [--model=FILE] [--pool=NAME "
              "--json=FILE] <GAMES\n",
              stderr);
        return 2;
    }
    if (paired != NULL)
        ok = pool_read_pairs(&s, &standard, paired);
    else
        ok = figures ? pool_read_figures(&s) : pool_read(&s);
    s.between = between;
    if (ok && s.n == 0)
        fputs("pool: no game has what is needed: two ratings, and evaluations\n", stderr);
    ok = ok && s.n > 0 && pool_run(&s, knot, knots, &to);
    pool_free(&s);
    pool_free(&standard);
    return ok ? 0 : 1;
}
