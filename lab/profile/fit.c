/* The losses that are usual at each rating. */
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lab/profile/profile.h"
#include "stats/resample.h"

#define FIT_GROUPS 20  /* of players */
#define FIT_MOVES  200 /* of a kind of position that has a curve; else it is that of middlegames */

/* Sums of one kind of position for a fit by least squares: each move has the same weight. */
struct fit_cell {
    double xx[IPR_PROFILE_DEGREE][IPR_PROFILE_DEGREE], xy[IPR_PROFILE_DEGREE];
};

static void cell_add(struct fit_cell *c, double x, double lost)
{
    const double power[IPR_PROFILE_DEGREE] = { 1, x, x * x };

    for (int i = 0; i < IPR_PROFILE_DEGREE; i++) {
        c->xy[i] += power[i] * lost;
        for (int j = 0; j < IPR_PROFILE_DEGREE; j++)
            c->xx[i][j] += power[i] * power[j];
    }
}

static void cell_solve(const struct fit_cell *c, double out[IPR_PROFILE_DEGREE])
{
    double xx[IPR_PROFILE_DEGREE * IPR_PROFILE_DEGREE], xy[IPR_PROFILE_DEGREE];
    gsl_matrix_view m = gsl_matrix_view_array(xx, IPR_PROFILE_DEGREE, IPR_PROFILE_DEGREE);
    gsl_vector_view y = gsl_vector_view_array(xy, IPR_PROFILE_DEGREE);
    gsl_vector_view a = gsl_vector_view_array(out, IPR_PROFILE_DEGREE);

    memcpy(xx, c->xx, sizeof xx);
    memcpy(xy, c->xy, sizeof xy);
    gsl_linalg_HH_solve(&m.matrix, &y.vector, &a.vector);
}

static bool in_range(const struct profile_side *s, const bool *take, size_t i,
                     const struct ipr_profile_reference *r)
{
    return take[i] && s->rating >= r->low && s->rating <= r->high;
}

static void fit_losses(const struct profile_sides *s, const bool *take,
                       struct ipr_profile_reference *out)
{
    struct fit_cell cell[IPR_PHASES][IPR_STANDINGS] = { 0 };

    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->side[i].n && in_range(&s->side[i], take, i, out); k++) {
            const struct ipr_profile_move *const m = &s->move[s->side[i].first + k];

            cell_add(&cell[m->phase][m->standing], (s->side[i].rating - 1600) / 400, m->lost);
        }
    for (int p = 0; p < IPR_PHASES; p++)
        for (int k = 0; k < IPR_STANDINGS; k++)
            if (cell[p][k].xx[0][0] >= FIT_MOVES)
                cell_solve(&cell[p][k], out->loss[p][k]);
    for (int p = 0; p < IPR_PHASES; p++)
        for (int k = 0; k < IPR_STANDINGS; k++)
            if (cell[p][k].xx[0][0] < FIT_MOVES)
                memcpy(out->loss[p][k], out->loss[IPR_PHASE_MIDDLEGAME][k], sizeof out->loss[p][k]);
}

/* Ratio of what is lost to what is expected, by one property of a move. */
static void fit_ratios(const struct profile_sides *s, const bool *take, bool hurried,
                       struct ipr_profile_reference *out)
{
    double lost[2] = { 0 }, usual[2] = { 0 }, all;

    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->side[i].n && in_range(&s->side[i], take, i, out); k++) {
            const struct ipr_profile_move *const m = &s->move[s->side[i].first + k];
            const int of = hurried ? m->hurried : m->black;

            if (of < 0)
                continue;
            lost[of] += m->lost;
            usual[of] += ipr_profile_expected(out, m, s->side[i].rating);
        }
    all = (lost[0] + lost[1]) / (usual[0] + usual[1]);
    for (int k = 0; k < 2; k++)
        *(hurried ? &out->hurried[k] : &out->colour[k]) = usual[k] > 0 && usual[1] > 0
                                                              ? lost[k] / usual[k] / all
                                                          : hurried ? 0
                                                                    : 1;
}

void profile_fit(const struct profile_sides *s, const bool *take, double low, double high,
                 struct ipr_profile_reference *out)
{
    out->low = low;
    out->high = high;
    out->colour[0] = out->colour[1] = 1;
    fit_losses(s, take, out);
    fit_ratios(s, take, false, out);
    if (out->hurried[1] > 0)
        return;
    fit_ratios(s, take, true, out);
}

/* ---- the reference's own error ---- */

/* Moves of each kind. */
struct fit_mix {
    double moves[IPR_PHASES][IPR_STANDINGS][2][3]; /* by colour, and hurried + 1 */
};

static void mix_of(const struct profile_sides *s, const bool *take,
                   const struct ipr_profile_reference *r, struct fit_mix *out)
{
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->side[i].n && in_range(&s->side[i], take, i, r); k++) {
            const struct ipr_profile_move *const m = &s->move[s->side[i].first + k];

            out->moves[m->phase][m->standing][m->black][m->hurried + 1]++;
        }
}

/* Logarithms of what is expected in each part as a share of all. */
static void mix_shares(const struct fit_mix *mix, const struct ipr_profile_reference *r,
                       double rating, double out[IPR_PROFILE_PARTS])
{
    double usual[IPR_PROFILE_PARTS] = { 0 }, all = 0;

    for (int k = 0; k < IPR_PHASES * IPR_STANDINGS * 2 * 3; k++) {
        const struct ipr_profile_move m = { .phase = (enum ipr_phase)(k / (IPR_STANDINGS * 6)),
                                            .standing = (enum ipr_standing)(k / 6 % IPR_STANDINGS),
                                            .black = k / 3 % 2 == 1,
                                            .hurried = (int8_t)(k % 3 - 1) };
        const double lost = mix->moves[m.phase][m.standing][m.black][m.hurried + 1] *
                            ipr_profile_expected(r, &m, rating);

        all += lost;
        for (int part = 0; part < IPR_PROFILE_PARTS; part++)
            if (ipr_profile_is_in(&m,
                                  &(struct ipr_profile_row){ .part = (enum ipr_profile_part)part }))
                usual[part] += lost;
    }
    for (int part = 0; part < IPR_PROFILE_PARTS; part++)
        out[part] = usual[part] > 0 ? log(usual[part] / all) : 0;
}

/* Jackknife: the players by FIT_GROUPS, without one in turn. */
void profile_error(const struct profile_sides *s, const bool *take, bool untimed,
                   struct ipr_profile_reference *r)
{
    bool *const without = ipr_xcalloc(s->n + 1, sizeof *without);
    double sum[IPR_PROFILE_PARTS][IPR_PROFILE_KNOTS] = { 0 },
           squares[IPR_PROFILE_PARTS][IPR_PROFILE_KNOTS] = { 0 };
    struct fit_mix mix;

    mix_of(s, take, r, &mix);
    for (unsigned g = 0; g < FIT_GROUPS; g++) {
        struct ipr_profile_reference left = *r;

        for (size_t i = 0; i < s->n; i++)
            without[i] = take[i] && ipr_mix64(s->side[i].player) / 2 % FIT_GROUPS != g;
        memset(left.hurried, 0, untimed ? 0 : sizeof left.hurried);
        profile_fit(s, without, r->low, r->high, &left);
        for (int k = 0; k < IPR_PROFILE_KNOTS; k++) {
            double share[IPR_PROFILE_PARTS];

            mix_shares(&mix, &left, r->low + k * (r->high - r->low) / (IPR_PROFILE_KNOTS - 1),
                       share);
            for (int part = 0; part < IPR_PROFILE_PARTS; part++) {
                sum[part][k] += share[part];
                squares[part][k] += share[part] * share[part];
            }
        }
    }
    for (int part = 0; part < IPR_PROFILE_PARTS; part++)
        for (int k = 0; k < IPR_PROFILE_KNOTS; k++)
            r->error[part][k] =
                sqrt(fmax(squares[part][k] - sum[part][k] * sum[part][k] / FIT_GROUPS, 0) *
                     (FIT_GROUPS - 1) / FIT_GROUPS);
    free(without);
}

/* ---- out ---- */

static void write_list(FILE *f, const double *x, size_t n)
{
    fprintf(f, "{ ");
    for (size_t i = 0; i < n; i++)
        fprintf(f, "%.4g%s", x[i], i + 1 < n ? ", " : " }");
}

bool profile_write(const struct ipr_profile_reference *r, bool between, const char *path)
{
    FILE *const f = fopen(path, "w");

    if (f == NULL)
        return false;
    if (between) {
        fprintf(f, ".between = ");
        write_list(f, r->between, IPR_PROFILE_PARTS + 1);
        fprintf(f, ",\n");
        return fclose(f) == 0;
    }
    fprintf(f, ".low = %.0f, .high = %.0f,\n.loss = {\n", r->low, r->high);
    for (int p = 0; p < IPR_PHASES; p++) {
        fprintf(f, "    { ");
        for (int k = 0; k < IPR_STANDINGS; k++) {
            write_list(f, r->loss[p][k], IPR_PROFILE_DEGREE);
            fprintf(f, k + 1 < IPR_STANDINGS ? ",\n      " : " },\n");
        }
    }
    fprintf(f, "},\n.colour = ");
    write_list(f, r->colour, 2);
    fprintf(f, ",\n.hurried = ");
    write_list(f, r->hurried, 2);
    fprintf(f, ",\n.kappa = ");
    write_list(f, r->kappa, IPR_PROFILE_PARTS + 1);
    fprintf(f, ",\n.error = {\n");
    for (int part = 0; part < IPR_PROFILE_PARTS; part++) {
        fprintf(f, "    ");
        write_list(f, r->error[part], IPR_PROFILE_KNOTS);
        fprintf(f, ",\n");
    }
    fprintf(f, "},\n");
    return fclose(f) == 0;
}
