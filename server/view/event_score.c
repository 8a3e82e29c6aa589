/* What the results of an event and the ratings in its tags say of a player. */
#include "view/event.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "view/estimate.h"
#include "view/json.h"

/* With draws the score varies less than sum E (1 - E), which is that of games won or lost. */
static void add_expected(struct ipr_event_score *s, const struct ipr_db_player_side *side)
{
    const double e = ipr_elo_expect(side->elo, side->opponent_elo);

    s->expected_games++;
    s->expected += e;
    s->variance += e * (1.0 - e);
}

void ipr_event_score(const struct ipr_db_tournament_player *p, struct ipr_event_score *out)
{
    double *opponents = ipr_xcalloc(p->n_sides, sizeof *opponents);
    struct ipr_event_score s = { .games = p->n_sides };
    double elo = 0.0, opponent_elo = 0.0;
    size_t known = 0;

    for (size_t i = 0; i < p->n_sides; i++) {
        const struct ipr_db_player_side *side = &p->sides[i];

        s.judged += side->turns >= 0;
        s.turns += side->turns > 0 ? (size_t)side->turns : 0;
        elo += side->elo;
        s.elo_games += side->elo > 0;
        opponent_elo += side->opponent_elo;
        s.opponent_games += side->opponent_elo > 0;
        if (side->half_points < 0)
            continue;
        s.scored++;
        s.half_points += side->half_points;
        if (side->opponent_elo > 0)
            opponents[known++] = side->opponent_elo;
        if (side->elo > 0 && side->opponent_elo > 0)
            add_expected(&s, side);
    }
    s.elo = s.elo_games ? elo / (double)s.elo_games : NAN;
    s.opponents = s.opponent_games ? opponent_elo / (double)s.opponent_games : NAN;
    s.performed =
        s.scored > 0 && known == s.scored &&
        ipr_elo_performance(opponents, known, s.half_points / 2.0, &s.performance, NULL) == IPR_OK;
    free(opponents);
    *out = s;
}

static json_t *elo_json(const struct ipr_event_score *s)
{
    json_t *out = s->elo_games > 0 ? json_pack("{s:o, s:i, s:s}", "estimate", ipr_json_num(s->elo),
                                               "games", (int)s->elo_games, "source", "game tags")
                                   : json_pack("{s:n, s:i, s:s}", "estimate", "games", 0, "reason",
                                               "no Elo of the player in the tags of the games");

    json_object_set_new(out, "opponents",
                        json_pack("{s:o, s:i}", "mean",
                                  s->opponent_games ? ipr_json_num(s->opponents) : json_null(),
                                  "games", (int)s->opponent_games));
    return out;
}

static json_t *performance_json(const struct ipr_view_context *c, const struct ipr_event_score *s)
{
    const struct ipr_elo_performance *r = &s->performance;
    const struct ipr_provenance from = {
        .context = c, .method = IPR_METHOD_PERFORMANCE, .games = s->scored, .converged = true
    };

    if (s->scored == 0)
        return ipr_estimate_refusal(&from, "no game has a result");
    if (!s->performed)
        return ipr_estimate_refusal(&from,
                                    "opponents' Elo is not in the tags of every scored game");
    const struct ipr_estimate result = { r->rating, r->bounded ? NAN : r->se, r->interval, &from };
    json_t *out = ipr_estimate_json(&result);

    json_object_set_new(out, "bounded", json_boolean(r->bounded));
    json_object_set_new(out, "open_low", json_boolean(r->open_lo));
    json_object_set_new(out, "open_high", json_boolean(r->open_hi));
    json_object_set_new(out, "fide", ipr_json_num(r->fide));
    return out;
}

/** The interval is that of the score, not of its expectation, which Elo gives without an error. */
static json_t *expected_json(const struct ipr_view_context *c, const struct ipr_event_score *s)
{
    const struct ipr_provenance from = {
        .context = c, .method = IPR_METHOD_ELO, .games = s->scored, .converged = true
    };

    if (s->scored == 0)
        return ipr_estimate_refusal(&from, "no game has a result");
    if (s->expected_games < s->scored)
        return ipr_estimate_refusal(&from,
                                    "both Elo are in the tags of %zu of the %zu scored games",
                                    s->expected_games, s->scored);
    const double sd = sqrt(s->variance), n = (double)s->scored;
    const struct ipr_interval interval = { fmax(0.0, s->expected - IPR_Z95 * sd),
                                           fmin(n, s->expected + IPR_Z95 * sd) };
    const struct ipr_estimate result = { s->expected, sd, interval, &from };

    return ipr_estimate_json(&result);
}

void ipr_event_score_json(const struct ipr_view_context *c, const struct ipr_event_score *s,
                          json_t *row)
{
    json_object_set_new(row, "games", json_integer((json_int_t)s->games));
    json_object_set_new(row, "games_judged", json_integer((json_int_t)s->judged));
    json_object_set_new(row, "score", s->scored ? ipr_json_num(s->half_points / 2.0) : json_null());
    json_object_set_new(row, "score_games", json_integer((json_int_t)s->scored));
    json_object_set_new(row, "elo", elo_json(s));
    json_object_set_new(row, "performance", performance_json(c, s));
    json_object_set_new(row, "expected", expected_json(c, s));
}
