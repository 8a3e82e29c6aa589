/* Predicts the points of games against opponents with an Elo. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "lab/trajectory/trajectory.h"
#include "model/elo.h"
#include "model/strength_curve.h"
#include "model/strength_shipped.h"

#define POINTS_WHITE 30.  /* advantage [Elo] */
#define POINTS_STEPS 41   /* of the integral over the strength's error */
#define POINTS_OVER  4.   /* standard errors to either side */
#define POINTS_SHIFT 300. /* at most [Elo] */

enum { POINTS_ELO = METHODS, POINTS_METHODS };

double points_expected(double mean, double sd, double opponent, bool white)
{
    double sum = 0, weights = 0;

    for (int k = 0; k < POINTS_STEPS; k++) {
        const double x = POINTS_OVER * (2. * k / (POINTS_STEPS - 1) - 1), w = exp(-x * x / 2);

        sum += w * ipr_elo_expect(mean + sd * x + (white ? POINTS_WHITE : -POINTS_WHITE), opponent);
        weights += w;
    }
    return sum / weights;
}

struct points_game {
    const struct career_side *side;
    size_t career;
    double mean[POINTS_METHODS], sd[POINTS_METHODS];
};

struct points_games {
    struct points_game *game; /* [n] */
    size_t n, careers;
    /* Which games a shift is fitted to: all but those of a part, of these years. */
    size_t method, without;
    int from, to;
};

static void points_add(struct points_games *g, const struct forecast *f,
                       const struct career_side *side)
{
    const struct ipr_strength_calibration *const c = &ipr_strength_shipped.calibration;
    struct points_game *const to = &g->game[g->n];

    if (side->year != f->year.year || side->elo == 0 || side->opponent == 0 || isnan(side->points))
        return;
    *to = (struct points_game){ .side = side, .career = f->career };
    for (size_t m = 0; m < METHODS; m++) {
        const double slope = ipr_strength_curve_slope(&c->curve, f->mean[m]);

        to->mean[m] = f->mean[m];
        to->sd[m] = sqrt(f->variance[m] + c->spread.player / (slope * slope));
    }
    to->mean[POINTS_ELO] = side->elo;
    g->n++;
}

static struct points_games points_games_make(const struct forecasts *f)
{
    struct points_games out = { .careers = f->careers->n,
                                .without = TRAJECTORY_PARTS,
                                .to = TRAJECTORY_ALWAYS };
    size_t room = 0;

    for (size_t i = 0; i < f->careers->n; i++)
        room += f->careers->career[i].n;
    out.game = ipr_xcalloc(room + 1, sizeof *out.game);
    for (size_t i = 0; i < f->n; i++) {
        const struct career *const c = &f->careers->career[f->forecast[i].career];

        for (size_t k = 0; k < c->n; k++)
            points_add(&out, &f->forecast[i], &c->side[k]);
    }
    return out;
}

static double points_loss(const struct points_game *g, size_t method, double shift)
{
    const double p =
        points_expected(g->mean[method] + shift, g->sd[method], g->side->opponent, g->side->white);

    return -g->side->points * log(p) - (1 - g->side->points) * log1p(-p);
}

static double points_shift_loss(double shift, void *of)
{
    const struct points_games *const g = of;
    double sum = 0;

    for (size_t i = 0; i < g->n; i++)
        if (g->game[i].career % TRAJECTORY_PARTS != g->without &&
            g->game[i].side->year >= g->from && g->game[i].side->year < g->to)
            sum += points_loss(&g->game[i], g->method, shift);
    return sum;
}

/* The loss of each game; with shifts, each fitted to the other parts. Returns the shift of all. */
static double points_losses(struct points_games *g, size_t method, bool shifted, double *loss)
{
    g->method = method;
    for (size_t part = 0; part < TRAJECTORY_PARTS; part++) {
        g->without = part;
        const double shift =
            shifted ? measure_least(points_shift_loss, g, -POINTS_SHIFT, POINTS_SHIFT) : 0;

        for (size_t i = 0; i < g->n; i++)
            if (g->game[i].career % TRAJECTORY_PARTS == part)
                loss[i] = points_loss(&g->game[i], method, shift);
    }
    g->without = TRAJECTORY_PARTS;
    return shifted ? measure_least(points_shift_loss, g, -POINTS_SHIFT, POINTS_SHIFT) : 0;
}

static struct measure points_mean(const struct points_games *g, const double *x, const double *less)
{
    double *const d = ipr_xcalloc(g->n + 1, sizeof *d);
    size_t *const career = ipr_xcalloc(g->n + 1, sizeof *career);

    for (size_t i = 0; i < g->n; i++) {
        d[i] = x[i] - less[i];
        career[i] = g->game[i].career;
    }
    const struct measure out = measure_mean(d, career, g->n, g->careers);
    free(d);
    free(career);
    return out;
}

/* The shift of the model's strengths by years of play. */
static void points_print_periods(struct points_games *g)
{
    static const int period[] = { 1971, 1980, 1990, 2000, 2010, 2025 };

    puts("\n| years | games | players | shift, Elo |\n| --- | ---: | ---: | ---: |");
    g->method = METHOD_PATH;
    for (size_t k = 0; k + 1 < sizeof period / sizeof *period; k++) {
        bool *const seen = ipr_xcalloc(g->careers, sizeof *seen);
        size_t games = 0, players = 0;

        g->from = period[k];
        g->to = period[k + 1];
        for (size_t i = 0; i < g->n; i++)
            if (g->game[i].side->year >= g->from && g->game[i].side->year < g->to) {
                games++;
                players += !seen[g->game[i].career];
                seen[g->game[i].career] = true;
            }
        printf("| %d–%d | %zu | %zu | %+.0f |\n", g->from, g->to - 1, games, players,
               measure_least(points_shift_loss, g, -POINTS_SHIFT, POINTS_SHIFT));
        free(seen);
    }
}

void points_print(const struct forecasts *f, json_t *out)
{
    json_t *const rows = json_array();
    struct points_games g = points_games_make(f);
    double *const none = ipr_xcalloc(g.n + 1, sizeof *none);
    double *loss[POINTS_METHODS][2];

    printf("\n## Points of the next year\n\n%zu games in which both players have an Elo.\n\n| "
           "forecast | log loss | less that of %s | 95 %% interval | shift, Elo | log loss with "
           "it | less that of %s | 95 %% interval |\n"
           "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
           g.n, method_name[METHOD_PATH], method_name[METHOD_PATH]);
    for (size_t m = 0; m < POINTS_METHODS; m++) {
        const char *const name = m < METHODS ? method_name[m] : "Elo of the game's tags";
        double shift = 0;

        printf("| %s ", name);
        for (int shifted = 0; shifted < 2; shifted++) {
            loss[m][shifted] = ipr_xcalloc(g.n + 1, sizeof(double));
            shift = points_losses(&g, m, shifted != 0, loss[m][shifted]);
            if (shifted)
                printf("| %+.0f ", shift);
            const double mean = points_mean(&g, loss[m][shifted], none).mean;
            printf("| %.4f ", mean);
            const struct measure d = points_mean(&g, loss[m][shifted], loss[METHOD_PATH][shifted]);
            if (m == METHOD_PATH)
                printf("| – | – ");
            else
                printf("| %+.4f | %+.4f to %+.4f ", d.mean, d.lo, d.hi);
            if (shifted)
                continue;
            json_t *const row = json_pack("{s:s, s:f}", "forecast", name, "log_loss", mean);
            if (m != METHOD_PATH)
                json_object_update_new(
                    row, json_pack("{s:f, s:o}", "more", d.mean, "interval", measure_interval(&d)));
            json_array_append_new(rows, row);
        }
        puts("|");
    }
    json_object_set_new(out, "games", json_integer((json_int_t)g.n));
    json_object_set_new(out, "points", rows);
    points_print_periods(&g);
    for (size_t m = 0; m < POINTS_METHODS; m++)
        for (int shifted = 0; shifted < 2; shifted++)
            free(loss[m][shifted]);
    free(none);
    free(g.game);
}
