/* What the results and the ratings in the tags say. */
#include "view/rate.h"

#include <math.h>
#include <stdlib.h>

#include "model/elo.h"
#include "view/json.h"

/** Of the judged games, so that it speaks of the same games as the other ratings. */
struct played {
    double elo_sum, elo_turns; /* own Elo, weighted by turns */
    size_t elo_games;
    double *opponents; /* their Elo in the scored games, as far as known */
    size_t n_opponents, scored;
    double score;
};

static struct played count(const struct ipr_db_player_turns *t)
{
    struct played p = { .opponents =
                            ipr_xcalloc(t->n_sides ? t->n_sides : 1, sizeof *p.opponents) };

    for (size_t i = 0; i < t->n_sides; i++) {
        const struct ipr_db_player_side *s = &t->sides[i];

        if (s->turns <= 0)
            continue;
        if (s->elo > 0) {
            p.elo_games++;
            p.elo_sum += (double)s->elo * s->turns;
            p.elo_turns += s->turns;
        }
        if (s->half_points < 0)
            continue;
        p.scored++;
        p.score += s->half_points / 2.0;
        if (s->opponent_elo > 0)
            p.opponents[p.n_opponents++] = s->opponent_elo;
    }
    return p;
}

static double mean_opponent(const struct played *p)
{
    double sum = 0.0;

    for (size_t i = 0; i < p->n_opponents; i++)
        sum += p->opponents[i];
    return p->n_opponents ? sum / (double)p->n_opponents : NAN;
}

/** Only when every scored game has an opponent's rating. */
static json_t *performance_json(const struct ipr_material *m, const struct played *p)
{
    const struct ipr_provenance from = { .context = m->context,
                                         .method = IPR_METHOD_PERFORMANCE,
                                         .games = p->scored,
                                         .converged = true };
    struct ipr_elo_performance r;

    if (p->scored == 0 || p->n_opponents < p->scored)
        return ipr_estimate_refusal(&from,
                                    "opponents' Elo is not in the tags of every scored game");
    if (ipr_elo_performance(p->opponents, p->scored, p->score, &r, NULL) != IPR_OK)
        return ipr_estimate_refusal(&from, "no performance rating");
    const struct ipr_estimate result = { r.rating, r.bounded ? NAN : r.se, r.interval, &from };
    json_t *out = ipr_estimate_json(&result);

    json_object_set_new(out, "bounded", json_boolean(r.bounded));
    json_object_set_new(out, "open_low", json_boolean(r.open_lo));
    json_object_set_new(out, "open_high", json_boolean(r.open_hi));
    json_object_set_new(out, "fide", ipr_json_num(r.fide));
    return out;
}

/**
 * {"estimate" (mean of the tags, weighted by turns), "games", "source"} or null + "reason", with
 * "opponents": {"mean", "games"}, "score", "score_games", "performance": {…view/estimate.h,
 * "bounded", "open_low", "open_high": an end of the interval is open, "fide": by FIDE's table}.
 */
enum ipr_code ipr_rate_elo(const struct ipr_material *m, json_t **out, struct ipr_err *err)
{
    struct played p = count(m->t);

    (void)err;
    json_t *elo =
        p.elo_games > 0
            ? json_pack("{s:o, s:i, s:s}", "estimate", ipr_json_num(p.elo_sum / p.elo_turns),
                        "games", (int)p.elo_games, "source", "game tags")
            : json_pack("{s:n, s:i, s:s}", "estimate", "games", 0, "reason",
                        "no Elo of the player in the tags of the judged games");

    json_object_set_new(elo, "opponents",
                        json_pack("{s:o, s:i}", "mean",
                                  p.n_opponents ? ipr_json_num(mean_opponent(&p)) : json_null(),
                                  "games", (int)p.n_opponents));
    json_object_set_new(elo, "score", p.scored ? ipr_json_num(p.score) : json_null());
    json_object_set_new(elo, "score_games", json_integer((json_int_t)p.scored));
    json_object_set_new(elo, "performance", performance_json(m, &p));
    free(p.opponents);
    *out = elo;
    return IPR_OK;
}
