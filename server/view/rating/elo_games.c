#include "view/rating/rate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "db/elo.h"
#include "model/elo.h"

/* ---- the ratings of a game ---- */

static int elo_order(const void *a, const void *b)
{
    const struct ipr_db_elo_at *l = a, *r = b;

    return l->person != r->person ? (l->person > r->person) - (l->person < r->person)
                                  : strcmp(l->month, r->month);
}

static bool elo_played(const struct ipr_db_player_side *s)
{
    return s->plies > 0;
}

/* The rating that the tags of a game lack, as a query of the lists; false when there is none. */
static bool elo_ask(const struct ipr_db_player_side *s, int32_t person, int tag,
                    struct ipr_db_elo_at *out)
{
    *out = (struct ipr_db_elo_at){ .person = person };
    return tag <= 0 && person > 0 && ipr_elo_month(s->date, s->year, out->month);
}

static struct ipr_elo_source elo_answer(const struct ipr_db_player_side *s, int32_t person, int tag,
                                        const struct ipr_db_elo_at *known, size_t n)
{
    struct ipr_db_elo_at question;

    if (!elo_ask(s, person, tag, &question))
        return (struct ipr_elo_source){ tag > 0 ? tag : 0, false };
    const struct ipr_db_elo_at *at = bsearch(&question, known, n, sizeof *known, elo_order);
    const int elo = at != NULL ? at->elo : 0;
    return (struct ipr_elo_source){ elo, elo > 0 };
}

/* Every query once, with its answer, in order. */
static enum ipr_code elo_look_up(const struct ipr_view_context *c, int32_t person,
                                 const struct ipr_elo_game *games, size_t n,
                                 struct ipr_db_elo_at **known, size_t *n_known, struct ipr_err *err)
{
    struct ipr_db_elo_at *at = ipr_arena_alloc(c->v->mem, 2 * n + 1, sizeof *at);
    size_t asked = 0;

    for (size_t i = 0; i < n; i++) {
        const struct ipr_db_player_side *s = games[i].side;

        asked += elo_ask(s, person, s->elo, &at[asked]);
        asked += elo_ask(s, s->opponent, s->opponent_elo, &at[asked]);
    }
    *known = at;
    *n_known = ipr_sort_unique(at, asked, sizeof *at, elo_order);
    return ipr_db_elo_at(c->v->db, at, *n_known, err);
}

enum ipr_code ipr_elo_games(const struct ipr_view_context *c, int32_t person,
                            const struct ipr_db_player_turns *t, bool judged_only,
                            struct ipr_elo_game **games, size_t *n, struct ipr_err *err)
{
    struct ipr_elo_game *list = ipr_arena_alloc(c->v->mem, t->n_sides + 1, sizeof *list);
    struct ipr_db_elo_at *known = NULL;
    size_t n_games = 0, n_known = 0;

    for (size_t i = 0; i < t->n_sides; i++)
        if (!judged_only || t->sides[i].turns > 0 || !elo_played(&t->sides[i]))
            list[n_games++].side = &t->sides[i];
    const enum ipr_code rc = elo_look_up(c, person, list, n_games, &known, &n_known, err);
    if (rc != IPR_OK)
        return rc;
    for (size_t i = 0; i < n_games; i++) {
        const struct ipr_db_player_side *s = list[i].side;

        list[i].own = elo_answer(s, person, s->elo, known, n_known);
        list[i].opponent = elo_answer(s, s->opponent, s->opponent_elo, known, n_known);
    }
    *games = list;
    *n = n_games;
    return IPR_OK;
}

/* ---- figures ---- */

static struct ipr_figure_sources elo_sources(size_t tags, size_t list)
{
    const char *source = tags > 0 && list > 0 ? "both"
                         : tags > 0           ? "game tags"
                         : list > 0           ? "rating list"
                                              : NULL;

    return (struct ipr_figure_sources){ source, tags, list };
}

static struct ipr_provenance elo_from(const struct ipr_view_context *c, enum ipr_method method,
                                      size_t games)
{
    return (
        struct ipr_provenance){ .context = c, .method = method, .games = games, .converged = true };
}

static const struct ipr_interval unknown = { NAN, NAN };

struct ipr_figure_elo_mean ipr_elo_at(const struct ipr_view_context *c, int elo, bool listed)
{
    const bool tagged = elo > 0 && !listed;
    const struct ipr_provenance from = elo_from(c, IPR_METHOD_ELO, tagged);

    return (struct ipr_figure_elo_mean){
        elo > 0 ? ipr_figure(elo, NAN, unknown, &from)
                : ipr_figure_none(&from, ipr_say_reason_elo(IPR_REASON_ELO_AT_END)),
        elo_sources(tagged, elo > 0 && listed)
    };
}

struct ipr_figure_elo_mean ipr_elo_mean(const struct ipr_view_context *c,
                                        const struct ipr_elo_game *games, size_t n,
                                        enum ipr_reason_elo_mean none)
{
    double turns = 0.0, by_turns = 0.0, sum = 0.0;
    size_t tags = 0, list = 0;

    for (size_t i = 0; i < n; i++) {
        const struct ipr_elo_game *g = &games[i];
        const double weight = g->side->turns > 0 ? g->side->turns : 0.0;

        if (g->own.elo == 0 || !elo_played(g->side))
            continue;
        tags += !g->own.listed;
        list += g->own.listed;
        sum += g->own.elo;
        turns += weight;
        by_turns += weight * g->own.elo;
    }
    const size_t known = tags + list;
    struct ipr_provenance from = elo_from(c, IPR_METHOD_ELO, known);

    from.turns = (size_t)turns;
    return (struct ipr_figure_elo_mean){
        known > 0
            ? ipr_figure(turns > 0.0 ? by_turns / turns : sum / (double)known, NAN, unknown, &from)
            : ipr_figure_none(&from, ipr_say_reason_elo_mean(none)),
        elo_sources(tags, list)
    };
}

static struct ipr_figure_opponents elo_opponents(const struct ipr_elo_game *games, size_t n)
{
    size_t tags = 0, list = 0;
    double sum = 0.0;

    for (size_t i = 0; i < n; i++) {
        const struct ipr_elo_source o = games[i].opponent;

        if (o.elo == 0 || games[i].side->half_points < 0 || !elo_played(games[i].side))
            continue;
        tags += !o.listed;
        list += o.listed;
        sum += o.elo;
    }
    return (struct ipr_figure_opponents){ elo_sources(tags, list),
                                          sum / (double)(tags + list), /* NaN of none */
                                          tags + list };
}

/* The scored games whose ratings are known. */
struct scored {
    double *own, *opponents; /* [n] */
    size_t n, games;         /* those, and all scored ones */
    double points, all_points;
};

static struct scored elo_scored_games(const struct ipr_elo_game *games, size_t n, bool own_too,
                                      struct ipr_arena *mem)
{
    struct scored s = { .own = ipr_arena_alloc(mem, n + 1, sizeof *s.own),
                        .opponents = ipr_arena_alloc(mem, n + 1, sizeof *s.opponents) };

    for (size_t i = 0; i < n; i++) {
        const struct ipr_elo_game *g = &games[i];
        const double points = g->side->half_points / 2.0;

        if (g->side->half_points < 0 || !elo_played(g->side))
            continue;
        s.games++;
        s.all_points += points;
        if (g->opponent.elo == 0 || (own_too && g->own.elo == 0))
            continue;
        s.own[s.n] = g->own.elo;
        s.opponents[s.n++] = g->opponent.elo;
        s.points += points;
    }
    return s;
}

static struct ipr_figure_expected_score elo_expected(const struct ipr_view_context *c,
                                                     const struct ipr_elo_game *games, size_t n)
{
    const struct scored s = elo_scored_games(games, n, true, c->v->mem);
    const struct ipr_provenance from = elo_from(c, IPR_METHOD_ELO, s.n);
    const double count = (double)s.n;
    struct ipr_figure_expected_score out;
    struct ipr_elo_expected e;

    ipr_shape_blank(IPR_SHAPE_EXPECTED_SCORE, &out);
    if (ipr_elo_expected_score(s.own, s.opponents, s.n, &e, NULL) != IPR_OK) {
        out.figure = ipr_figure_none(&from, ipr_say_reason_elo(IPR_REASON_ELO_NOT_OF_BOTH));
        return out;
    }
    return (struct ipr_figure_expected_score){
        .figure = ipr_figure(e.score / count, NAN, unknown, &from),
        .interval_reason = ipr_say_reason_elo(IPR_REASON_ELO_NO_ERRORS),
        .score_sd = e.score_sd / count,
        .score_interval = { e.score_interval.lo / count, e.score_interval.hi / count },
        .points = e.score,
        .actual = s.points / count,
        .actual_points = s.points,
        .difference = (s.points - e.score) / count,
    };
}

static const char *elo_no_performance(const struct scored *s, const char *none,
                                      struct ipr_arena *mem)
{
    if (s->games == 0)
        return none;
    const struct ipr_reason_opponents_slots slots = { (double)(s->games - s->n), (double)s->games };
    return s->n < s->games ? ipr_say_reason_opponents(IPR_REASON_OPPONENTS_UNKNOWN, &slots, mem)
                           : NULL;
}

static struct ipr_figure_performance elo_performance(const struct ipr_view_context *c,
                                                     const struct ipr_elo_game *games, size_t n,
                                                     const char *none)
{
    const struct scored s = elo_scored_games(games, n, false, c->v->mem);
    const struct ipr_provenance from = elo_from(c, IPR_METHOD_PERFORMANCE, s.games);
    const char *reason = elo_no_performance(&s, none, c->v->mem);
    struct ipr_figure_performance out = { .bounded = -1 };
    struct ipr_elo_performance r;

    if (reason == NULL && ipr_elo_performance(s.opponents, s.n, s.points, &r, NULL) != IPR_OK)
        reason = "no performance rating";
    if (reason != NULL) {
        out.figure = ipr_figure_none(&from, reason);
        return out;
    }
    out.figure = ipr_figure(r.rating, r.se, r.interval, &from);
    if (r.bounded) { /* one end of an interval */
        out.figure =
            ipr_figure_none(&from, ipr_say_reason_elo(r.open_hi ? IPR_REASON_ELO_ALL_SCORED
                                                                : IPR_REASON_ELO_NONE_SCORED));
        out.figure.interval = (struct ipr_interval){ ipr_number_if(!r.open_lo, r.interval.lo),
                                                     ipr_number_if(!r.open_hi, r.interval.hi) };
    }
    out.bounded = r.bounded;
    out.fide = r.fide;
    return out;
}

static struct ipr_figure_unplayed elo_unplayed(const struct ipr_elo_game *games, size_t n)
{
    struct ipr_figure_unplayed out = { 0 };

    for (size_t i = 0; i < n; i++) {
        const struct ipr_db_player_side *s = games[i].side;

        if (elo_played(s))
            continue;
        out.games++;
        out.score_games += s->half_points >= 0;
        out.score += s->half_points > 0 ? s->half_points / 2.0 : 0.0;
    }
    out.score = ipr_number_if(out.score_games > 0, out.score);
    return out;
}

static struct ipr_figure_results elo_results(const struct ipr_view_context *c,
                                             const struct ipr_elo_game *games, size_t n,
                                             const char *none)
{
    const struct scored s = elo_scored_games(games, n, false, c->v->mem);
    const struct ipr_figure_unplayed forfeits = elo_unplayed(games, n);
    const size_t with_result = s.games + forfeits.score_games;

    return (struct ipr_figure_results){
        .unplayed = forfeits,
        .opponents = elo_opponents(games, n),
        .score =
            ipr_number_if(with_result > 0, (s.games > 0 ? s.all_points : 0.0) +
                                               (forfeits.score_games > 0 ? forfeits.score : 0.0)),
        .score_games = with_result,
        .expected = elo_expected(c, games, n),
        .performance = elo_performance(c, games, n, none),
    };
}

struct ipr_figure_results ipr_elo_results(const struct ipr_view_context *c,
                                          const struct ipr_elo_game *games, size_t n)
{
    return elo_results(c, games, n, ipr_say_reason_elo(IPR_REASON_ELO_NO_RESULT));
}

/* Why no analysed game has a result. */
static const char *elo_none_analysed(const struct ipr_material *m)
{
    size_t results = 0;

    for (size_t i = 0; i < m->t->n_sides; i++)
        results += elo_played(&m->t->sides[i]) && m->t->sides[i].half_points >= 0;
    const struct ipr_reason_no_result_analysed_slots slots = {
        .here = (m->context->times & IPR_TIME_OWN) != 0, .setting = m->context->judge.name
    };
    return results == 0 ? ipr_say_reason_elo(IPR_REASON_ELO_NO_RESULT)
                        : ipr_say_reason_no_result_analysed(IPR_REASON_NO_RESULT_ANALYSED_ALL,
                                                            &slots, m->context->v->mem);
}

/* The analysed games, as for the other ratings. */
enum ipr_code ipr_rate_elo(const struct ipr_material *m, struct ipr_figure_ratings *out,
                           struct ipr_err *err)
{
    struct ipr_figure_elo *figure = ipr_shape_new(IPR_SHAPE_ELO, m->context->v->mem);
    struct ipr_elo_game *games = NULL;
    size_t n = 0;

    const enum ipr_code rc =
        ipr_elo_games(m->context, m->scope->person, m->t, true, &games, &n, err);
    if (rc != IPR_OK)
        return rc;
    figure->elo_mean = ipr_elo_mean(m->context, games, n, IPR_REASON_ELO_MEAN_ANALYSED);
    figure->results = elo_results(m->context, games, n, elo_none_analysed(m));
    out->elo = figure;
    return IPR_OK;
}
