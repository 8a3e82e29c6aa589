#include "lab/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ipr_strength_side *bench_report_new(struct bench_report *r, const char *name)
{
    struct bench_entry *e = &r->entry[r->n++];

    *e = (struct bench_entry){ .name = name };
    e->answer = calloc(r->d.n_sides, sizeof *e->answer);
    for (size_t i = 0; e->answer != NULL && i < r->d.n_sides; i++) {
        e->answer[i].player = r->d.side[i].player;
        e->answer[i].elo = r->d.side[i].elo;
        e->answer[i].year = r->d.side[i].year;
    }
    return e->answer;
}

void bench_calibrate(const struct ipr_strength_side *side, const bool *take, size_t n,
                     struct ipr_strength_calibration *m)
{
    static const double knot[] = { 1200, 1600, 2000, 2400, 2800 };
    size_t below = 0, first;

    for (size_t i = 0; i < n; i++)
        below += take[i] && side[i].information > 0 && side[i].elo < (knot[0] + knot[1]) / 2;
    first = below < BENCH_KNOT_SIDES;
    m->curve = (struct ipr_strength_curve){ .knots = sizeof knot / sizeof *knot - first };
    memcpy(m->curve.elo, knot + first, m->curve.knots * sizeof *knot);
    m->spread.player = 0; /* of an earlier fit: it is fitted here */
    ipr_strength_calibrate_levels(side, take, n, m);
}

void bench_report_fit(struct bench_report *r)
{
    for (size_t k = 0; k < r->n; k++) {
        struct bench_entry *e = &r->entry[k];

        bench_calibrate(e->answer, r->fit, r->d.n_sides, &e->model);
        e->model.spread.event = k == r->chosen ? bench_event_variance(r, e) : 0;
    }
}

void bench_report_open(struct bench_report *r)
{
    for (size_t i = 0; i < r->d.n_sides; i++)
        r->d.side[i].blind = r->d.side[i].blind_game = false;
}

/* Standard deviation of the difference in Elo between opponents. Uses only games that were chosen
 * for one player's Elo: in the others both players were chosen to have about the same. */
static double report_opponents_sd(const struct bench_report *r)
{
    double n = 0, square = 0;

    for (size_t i = 0; i < r->d.n_sides; i++) {
        const double d = r->d.side[i].elo - r->d.side[i ^ 1].elo;

        if (!r->fit[i] || !bench_rated(&r->d.side[i]) || !r->d.side[i].one_sided ||
            !(r->d.side[i ^ 1].elo > 0))
            continue;
        n++;
        square += d * d;
    }
    return sqrt(square / n);
}

void bench_report_take(struct bench_report *r, bool blind)
{
    double n = 0, sum = 0, square = 0;

    r->blind = blind;
    for (size_t i = 0; i < r->d.n_sides; i++) {
        const struct bench_side *s = &r->d.side[i];

        r->fit[i] = bench_fitted(s) && !s->blind_game;
        r->take[i] = bench_rated(s) && (blind ? s->blind : !s->blind_game);
        if (bench_rated(s) && !s->blind_game) {
            n++;
            sum += s->elo;
            square += s->elo * s->elo;
        }
    }
    r->prior_mean = sum / n;
    r->prior_sd = sqrt(square / n - r->prior_mean * r->prior_mean);
    r->opponents_sd = report_opponents_sd(r);
}

bool bench_report_read(struct bench_report *r, const char *path)
{
    struct ipr_strength_side *answer = bench_report_new(r, path), a;
    FILE *in = fopen(path, "r");
    size_t side;
    bool ok;

    r->entry[r->n - 1].sets = true;
    if (in == NULL || answer == NULL)
        return false;
    while (fscanf(in, "%zu,%lf,%lf", &side, &a.z, &a.information) == 3)
        if (side < r->d.n_sides) {
            answer[side].z = a.z;
            answer[side].information = a.information;
        }
    ok = feof(in) != 0;
    fclose(in);
    return ok;
}

enum ipr_code bench_report_entries(struct bench_report *r, bool variants, struct ipr_err *err)
{
    bool use[IPR_STRENGTH_FEATURES];
    enum ipr_code rc = IPR_OK;

    for (size_t k = 0; k < BENCH_PLAINS; k++) {
        bench_entry_plain(&r->d, (enum bench_plain)k, bench_report_new(r, bench_plain_name[k]));
        r->entry[r->n - 1].sets = k == BENCH_CAPPED_1 || k == BENCH_EXPECTED || k == BENCH_SHARE_30;
    }
    bench_entry_cells(&r->d, bench_report_new(r, "capped loss in 27 cells"));
    r->entry[r->n - 1].sets = true;
    for (size_t i = 0; i < IPR_STRENGTH_FEATURES; i++)
        use[i] = i < 41;
    if (variants)
        rc = bench_entry_chain(&r->d, &r->f, use,
                               bench_report_new(r, "chain, features of the scores alone"), err);
    for (size_t i = 0; i < IPR_STRENGTH_FEATURES; i++)
        use[i] = i < 48;
    if (variants && rc == IPR_OK)
        rc = bench_entry_chain(&r->d, &r->f, use,
                               bench_report_new(r, "chain, and of the positions before"), err);
    if (rc == IPR_OK)
        rc = bench_entry_chain(&r->d, &r->f, NULL, bench_report_new(r, "chain of logits"), err);
    r->chosen = r->n - 1;
    r->entry[r->chosen].sets = true;
    return rc;
}
