#include "view/rating/elo_games.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/elo.h"
#include "model/elo.h"
#include "view/figure/estimate.h"
#include "view/json.h"

/* ---- the ratings of a game ---- */

static int by_question(const void *a, const void *b)
{
    const struct ipr_db_elo_at *l = a, *r = b;

    return l->person != r->person ? (l->person > r->person) - (l->person < r->person)
                                  : strcmp(l->month, r->month);
}

static bool played(const struct ipr_db_player_side *s)
{
    return s->plies > 0;
}

/* What the tags of a game leave open, as a question to the lists; false when there is none. */
static bool ask(const struct ipr_db_player_side *s, int32_t person, int tag,
                struct ipr_db_elo_at *out)
{
    *out = (struct ipr_db_elo_at){ .person = person };
    return tag <= 0 && person > 0 && ipr_elo_month(s->date, s->year, out->month);
}

static struct ipr_elo_source answer(const struct ipr_db_player_side *s, int32_t person, int tag,
                                    const struct ipr_db_elo_at *known, size_t n)
{
    struct ipr_db_elo_at question;

    if (!ask(s, person, tag, &question))
        return (struct ipr_elo_source){ tag > 0 ? tag : 0, false };
    const struct ipr_db_elo_at *at = bsearch(&question, known, n, sizeof *known, by_question);
    const int elo = at ? at->elo : 0;
    return (struct ipr_elo_source){ elo, elo > 0 };
}

/* Every question once, with its answer, in order. */
static enum ipr_code consult(const struct ipr_view_context *c, int32_t person,
                             const struct ipr_elo_game *games, size_t n,
                             struct ipr_db_elo_at **known, size_t *n_known, struct ipr_err *err)
{
    struct ipr_db_elo_at *at = ipr_arena_alloc(c->v->mem, 2 * n + 1, sizeof *at);
    size_t asked = 0, kept = 0;

    for (size_t i = 0; i < n; i++) {
        const struct ipr_db_player_side *s = games[i].side;

        asked += ask(s, person, s->elo, &at[asked]);
        asked += ask(s, s->opponent, s->opponent_elo, &at[asked]);
    }
    if (asked > 0)
        qsort(at, asked, sizeof *at, by_question);
    for (size_t i = 0; i < asked; i++)
        if (kept == 0 || by_question(&at[kept - 1], &at[i]) != 0)
            at[kept++] = at[i];
    *known = at;
    *n_known = kept;
    return ipr_db_elo_at(c->v->db, at, kept, err);
}

enum ipr_code ipr_elo_games(const struct ipr_view_context *c, int32_t person,
                            const struct ipr_db_player_turns *t, bool judged_only,
                            struct ipr_elo_game **games, size_t *n, struct ipr_err *err)
{
    struct ipr_elo_game *list = ipr_arena_alloc(c->v->mem, t->n_sides + 1, sizeof *list);
    struct ipr_db_elo_at *known = NULL;
    size_t n_games = 0, n_known = 0;

    for (size_t i = 0; i < t->n_sides; i++)
        if (!judged_only || t->sides[i].turns > 0 || !played(&t->sides[i]))
            list[n_games++].side = &t->sides[i];
    const enum ipr_code rc = consult(c, person, list, n_games, &known, &n_known, err);
    if (rc != IPR_OK)
        return rc;
    for (size_t i = 0; i < n_games; i++) {
        const struct ipr_db_player_side *s = list[i].side;

        list[i].own = answer(s, person, s->elo, known, n_known);
        list[i].opponent = answer(s, s->opponent, s->opponent_elo, known, n_known);
    }
    *games = list;
    *n = n_games;
    return IPR_OK;
}

/* ---- figures ---- */

void ipr_elo_add_sources(json_t *figure, size_t tags, size_t list)
{
    const char *source = tags > 0 && list > 0 ? "both"
                         : tags > 0           ? "game tags"
                         : list > 0           ? "rating list"
                                              : NULL;

    json_object_set_new(figure, "source", source ? json_string(source) : json_null());
    json_object_set_new(figure, "from_tags", json_integer((json_int_t)tags));
    json_object_set_new(figure, "from_list", json_integer((json_int_t)list));
}

static struct ipr_provenance provenance(const struct ipr_view_context *c, enum ipr_method method,
                                        size_t games)
{
    return (
        struct ipr_provenance){ .context = c, .method = method, .games = games, .converged = true };
}

static const struct ipr_interval unknown = { NAN, NAN };

json_t *ipr_elo_mean(const struct ipr_view_context *c, const struct ipr_elo_game *games, size_t n,
                     const char *what)
{
    double turns = 0.0, by_turns = 0.0, sum = 0.0;
    size_t tags = 0, list = 0;

    for (size_t i = 0; i < n; i++) {
        const struct ipr_elo_game *g = &games[i];
        const double weight = g->side->turns > 0 ? g->side->turns : 0.0;

        if (g->own.elo == 0 || !played(g->side))
            continue;
        tags += !g->own.listed;
        list += g->own.listed;
        sum += g->own.elo;
        turns += weight;
        by_turns += weight * g->own.elo;
    }
    const size_t known = tags + list;
    struct ipr_provenance from = provenance(c, IPR_METHOD_ELO, known);
    json_t *out;

    from.turns = (size_t)turns;
    if (known == 0) {
        out = ipr_estimate_refusal(
            &from, "no Elo of the player in the tags of %s, and no rating list of the year before",
            what);
    } else {
        const struct ipr_estimate mean = { turns > 0.0 ? by_turns / turns : sum / (double)known,
                                           NAN, unknown, &from };
        out = ipr_estimate_json(&mean);
    }
    ipr_elo_add_sources(out, tags, list);
    return out;
}

static json_t *opponents_json(const struct ipr_elo_game *games, size_t n)
{
    size_t tags = 0, list = 0;
    double sum = 0.0;

    for (size_t i = 0; i < n; i++) {
        const struct ipr_elo_source o = games[i].opponent;

        if (o.elo == 0 || games[i].side->half_points < 0 || !played(games[i].side))
            continue;
        tags += !o.listed;
        list += o.listed;
        sum += o.elo;
    }
    json_t *out = json_pack("{s:o, s:I}", "mean",
                            tags + list ? ipr_json_num(sum / (double)(tags + list)) : json_null(),
                            "games", (json_int_t)(tags + list));

    ipr_elo_add_sources(out, tags, list);
    return out;
}

/** The scored games of which the ratings asked for are known. */
struct scored {
    double *own, *opponents; /* [n] */
    size_t n, games;         /* those, and all scored ones */
    double points, all_points;
};

static struct scored scored_games(const struct ipr_elo_game *games, size_t n, bool own_too,
                                  struct ipr_arena *mem)
{
    struct scored s = { .own = ipr_arena_alloc(mem, n + 1, sizeof *s.own),
                        .opponents = ipr_arena_alloc(mem, n + 1, sizeof *s.opponents) };

    for (size_t i = 0; i < n; i++) {
        const struct ipr_elo_game *g = &games[i];
        const double points = g->side->half_points / 2.0;

        if (g->side->half_points < 0 || !played(g->side))
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

static json_t *expected_json(const struct ipr_view_context *c, const struct ipr_elo_game *games,
                             size_t n)
{
    const struct scored s = scored_games(games, n, true, c->v->mem);
    const struct ipr_provenance from = provenance(c, IPR_METHOD_ELO, s.n);
    const double count = (double)s.n;
    struct ipr_elo_expected e;

    if (ipr_elo_expected_score(s.own, s.opponents, s.n, &e, NULL) != IPR_OK)
        return ipr_estimate_refusal(&from, "in no scored game the Elo of both players is known");
    const struct ipr_estimate share = { e.score / count, NAN, unknown, &from };
    const struct ipr_interval actual = { e.score_interval.lo / count, e.score_interval.hi / count };
    json_t *out = ipr_estimate_json(&share);

    json_object_set_new(out, "interval_reason",
                        json_string("Elo figures are given without an error of their own"));
    json_object_set_new(out, "score_sd", ipr_json_num(e.score_sd / count));
    json_object_set_new(out, "score_interval", ipr_json_interval(actual));
    json_object_set_new(out, "points", ipr_json_num(e.score));
    json_object_set_new(out, "actual", ipr_json_num(s.points / count));
    json_object_set_new(out, "actual_points", ipr_json_num(s.points));
    json_object_set_new(out, "difference", ipr_json_num((s.points - e.score) / count));
    return out;
}

/** Of all or no points: one end of an interval. */
static json_t *bound_json(const struct ipr_elo_performance *r, const struct ipr_provenance *from)
{
    json_t *out = ipr_estimate_refusal(from, "%s was scored: a bound is known, no rating",
                                       r->open_hi ? "every point" : "no point");

    json_object_set_new(
        out, "interval",
        ipr_json_interval((struct ipr_interval){ r->open_lo ? NAN : r->interval.lo,
                                                 r->open_hi ? NAN : r->interval.hi }));
    return out;
}

static json_t *performance_json(const struct ipr_view_context *c, const struct ipr_elo_game *games,
                                size_t n)
{
    const struct scored s = scored_games(games, n, false, c->v->mem);
    const struct ipr_provenance from = provenance(c, IPR_METHOD_PERFORMANCE, s.games);
    struct ipr_elo_performance r;

    if (s.games == 0)
        return ipr_estimate_refusal(&from, "no game with a result");
    if (s.n < s.games)
        return ipr_estimate_refusal(&from,
                                    "in %zu of %zu scored games the opponent's Elo is neither "
                                    "in the tags nor on a rating list of the year before",
                                    s.games - s.n, s.games);
    if (ipr_elo_performance(s.opponents, s.n, s.points, &r, NULL) != IPR_OK)
        return ipr_estimate_refusal(&from, "no performance rating");
    const struct ipr_estimate result = { r.rating, r.se, r.interval, &from };
    json_t *out = r.bounded ? bound_json(&r, &from) : ipr_estimate_json(&result);

    json_object_set_new(out, "bounded", json_boolean(r.bounded));
    json_object_set_new(out, "fide", ipr_json_num(r.fide));
    return out;
}

static json_t *unplayed_json(const struct ipr_elo_game *games, size_t n)
{
    json_int_t all = 0, scored = 0;
    double points = 0.0;

    for (size_t i = 0; i < n; i++) {
        const struct ipr_db_player_side *s = games[i].side;

        if (played(s))
            continue;
        all++;
        scored += s->half_points >= 0;
        points += s->half_points > 0 ? s->half_points / 2.0 : 0.0;
    }
    return json_pack("{s:I, s:o, s:I}", "games", all, "score",
                     scored ? ipr_json_num(points) : json_null(), "score_games", scored);
}

void ipr_elo_add_results(const struct ipr_view_context *c, const struct ipr_elo_game *games,
                         size_t n, json_t *out)
{
    const struct scored s = scored_games(games, n, false, c->v->mem);

    json_object_set_new(out, "unplayed", unplayed_json(games, n));
    json_object_set_new(out, "opponents", opponents_json(games, n));
    json_object_set_new(out, "score", s.games ? ipr_json_num(s.all_points) : json_null());
    json_object_set_new(out, "score_games", json_integer((json_int_t)s.games));
    json_object_set_new(out, "expected", expected_json(c, games, n));
    json_object_set_new(out, "performance", performance_json(c, games, n));
}
