/* The royale by shares of good moves. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/royale_field.h"

struct conformance {
    const struct ipr_royale_field *field;
    double mean; /* share of good moves of the rows' years alone */
};

static bool turn_conforms(const struct ipr_acs_params *p, const struct ipr_markov_turn *t)
{
    return ipr_loss(&p->loss, t->best_cp, t->played_cp) <= p->threshold + 1e-9;
}

/* Share of the turns up to the year, those of earlier ones losing weight; 0: all weigh the same. */
static double field_share(const struct ipr_acs_params *p, const struct ipr_markov_turn *turns,
                          size_t n, int32_t year)
{
    double good = 0.0, all = 0.0;

    for (size_t i = 0; i < n; i++) {
        const double weight = ipr_year_weight(turns[i].year, year, p->loss.forgetting);

        all += weight;
        good += turn_conforms(p, &turns[i]) ? weight : 0.0;
    }
    return good / all;
}

/* Expected score as in ipr_acs_predict, both colours averaged. */
static double conformance_score(const struct ipr_acs_params *p, double q1, double q2)
{
    return 0.5 * (ipr_conformance_score(q1, q2, p->alpha, p->beta) +
                  ipr_conformance_score(q1, q2, -p->alpha, p->beta));
}

static enum ipr_code conformance_open(const struct ipr_royale_field *field, void **state,
                                      struct ipr_err *err)
{
    const struct ipr_acs_params *p = &field->params->conformance;
    const size_t n = field->n;

    if (!(p->loss.k1 > 0.0) || !(p->loss.k2 < 0.0) || !(p->threshold >= 0.0) || !(p->beta > 0.0))
        return ipr_err_set(err, IPR_EINVAL, "royale: parameters of the conformance");
    struct conformance *c = ipr_xcalloc(1, sizeof *c);
    double *with = ipr_xcalloc(n, sizeof *with);
    *c = (struct conformance){ field, 0.0 };
    for (size_t i = 0; i < n; i++) {
        const struct ipr_royale_entry *e = &field->entries[i];

        with[i] = field_share(p, e->turns, e->n, e->year);
        c->mean += field_share(p, field->own[i].turns, field->own[i].n, 0) / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            field->pair[i * n + j] = conformance_score(p, with[i], with[j]);
    free(with);
    *state = c;
    return IPR_OK;
}

static void conformance_enter(void *state, size_t i)
{
    (void)state;
    (void)i;
}

static enum ipr_code conformance_score_block(void *state, size_t i, const double *times,
                                             double e[IPR_BLOCK], struct ipr_err *err)
{
    const struct conformance *c = state;
    const struct ipr_acs_params *p = &c->field->params->conformance;
    const struct ipr_royale_own *own = &c->field->own[i];
    double good[IPR_BLOCK] = { 0 }, all[IPR_BLOCK] = { 0 };

    (void)err;
    for (size_t g = 0; g < own->games; g++) {
        const double turns = (double)(own->start[g + 1] - own->start[g]);
        double conform = 0.0;

        for (size_t k = own->start[g]; k < own->start[g + 1]; k++)
            conform += turn_conforms(p, &own->turns[k]);
        for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
            good[lane] += times[g * IPR_BLOCK + lane] * conform;
            all[lane] += times[g * IPR_BLOCK + lane] * turns;
        }
    }
    for (size_t lane = 0; lane < IPR_BLOCK; lane++)
        e[lane] = conformance_score(p, good[lane] / all[lane], c->mean);
    return IPR_OK;
}

const struct ipr_royale_predictor ipr_royale_conformance = { conformance_open, conformance_enter,
                                                             conformance_score_block, free };
