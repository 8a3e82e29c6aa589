/* Which moves: the analysed moves of a set of games, sorted and filtered. */
#include "view/evidence/evidence.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/sort.h"
#include "db/events.h"
#include "db/uploads.h"
#include "resource/cursor.h"
#include "resource/read.h"
#include "view/json.h"
#include "view/rating/rate.h"

#define COSTLIEST 10 /* moves whose share of the loss is said first */

/* ---- which games ---- */

enum ipr_code ipr_evidence_too_many(struct ipr_err *err)
{
    return ipr_param_refuse(err, "from", "0",
                            "a span of years with at most %d analysed games of the set",
                            IPR_EVIDENCE_GAMES);
}

static struct ipr_db_game_filter evidence_filter(const struct ipr_view_context *c,
                                                 const struct ipr_evidence_request *p)
{
    struct ipr_db_game_filter f = { .player = p->player,
                                    .opponent = p->opponent,
                                    .colors = p->color < 0 ? 0 : 1u << p->color,
                                    .event = p->event,
                                    .result = p->result + 1,
                                    .times = c->times,
                                    .upload = p->upload };

    ipr_view_years(p->year, p->from, p->to, &f.from, &f.to);
    return f;
}

static enum ipr_code evidence_ids(const struct ipr_view_context *c,
                                  const struct ipr_evidence_request *p, int64_t **ids, size_t *n,
                                  struct ipr_err *err)
{
    struct ipr_db_game_filter f = evidence_filter(c, p);

    *n = 0;
    f.judge_id = c->judge_id;
    if (c->judge_id == 0 || (p->player == 0 && p->event == 0 && p->upload == 0))
        return IPR_OK;
    const enum ipr_code rc =
        ipr_db_game_ids(c->v->db, &f, 0, IPR_EVIDENCE_GAMES + 1, c->v->mem, ids, n, err);
    if (rc == IPR_OK && *n > IPR_EVIDENCE_GAMES)
        return ipr_evidence_too_many(err);
    return rc;
}

/* The games of the set that each setting of the rule has analysed. */
struct evidence_found {
    const struct ipr_evidence_request *p;
    struct {
        int64_t *ids;
        size_t n;
    } by[IPR_SETTING_CANDIDATES];
};

static enum ipr_code evidence_count(void *of, size_t i, const struct ipr_view_context *c,
                                    int64_t *n, struct ipr_err *err)
{
    struct evidence_found *const f = of;
    const enum ipr_code rc = evidence_ids(c, f->p, &f->by[i].ids, &f->by[i].n, err);

    *n = (int64_t)f->by[i].n;
    return rc;
}

/* Opponents of the player `root` in the set, whichever is requested; in more games than are listed,
 * the requested one alone. */
static enum ipr_code evidence_opponents(const struct ipr_view_context *c,
                                        const struct ipr_evidence_request *p, const int64_t *ids,
                                        size_t n, int32_t root,
                                        struct ipr_list_evidence_opponent *out, struct ipr_err *err)
{
    struct ipr_db_evidence_opponent *rows = NULL;
    struct ipr_evidence_request any = *p;
    int64_t *all = NULL;
    size_t n_all = 0, n_rows = 0;
    struct ipr_err why = IPR_ERR_INIT;
    enum ipr_code rc = IPR_OK;

    any.opponent = 0;
    if (p->opponent != 0)
        rc = evidence_ids(c, &any, &all, &n_all, &why);
    if (rc == IPR_OK && p->opponent != 0) {
        ids = all;
        n = n_all;
    } else if (rc == IPR_EPARSE) { /* too many games to list them all */
        rc = IPR_OK;
    } else if (rc != IPR_OK) {
        rc = ipr_err_pass(err, &why);
    }
    if (rc == IPR_OK && root != 0)
        rc = ipr_db_evidence_opponents(c->v->db, ids, n, root, c->v->mem, &rows, &n_rows, err);
    out->at = ipr_shape_list(IPR_SHAPE_EVIDENCE_OPPONENT, n_rows, c->v->mem);
    for (; out->n < n_rows; out->n++)
        out->at[out->n] = (struct ipr_answer_evidence_opponent){
            .named = ipr_named(rows[out->n].id, rows[out->n].name), .games = rows[out->n].games
        };
    return rc;
}

/* ---- which moves ---- */

static bool evidence_in(const struct ipr_evidence_move *m, const struct ipr_evidence_request *p)
{
    if (p->phase >= 0 && (int)m->cost.phase != p->phase)
        return false;
    if (p->eval_from != IPR_PARAM_ABSENT && m->cost.best_cp < p->eval_from)
        return false;
    if (p->eval_to != IPR_PARAM_ABSENT && m->cost.best_cp > p->eval_to)
        return false;
    if (p->clock_from != IPR_PARAM_ABSENT &&
        (m->clock_ms < 0 || m->clock_ms < 1000LL * p->clock_from))
        return false;
    return p->clock_to == 0 || (m->clock_ms >= 0 && m->clock_ms <= 1000LL * p->clock_to);
}

static bool evidence_lost(const struct ipr_evidence_move *m, double from, double to)
{
    return (isnan(from) || m->cost.lost >= from) && (isnan(to) || m->cost.lost < to);
}

static int by_play(const struct ipr_evidence_move *x, const struct ipr_evidence_move *y)
{
    return x->game != y->game ? (x->game > y->game) - (x->game < y->game)
                              : x->turn->ply - y->turn->ply;
}

static int by_number(double x, double y, const struct ipr_evidence_move *a,
                     const struct ipr_evidence_move *b)
{
    if (isnan(x) != isnan(y))
        return isnan(x) ? 1 : -1;
    return isnan(x) || x == y ? by_play(a, b) : (x > y) - (x < y);
}

#define MOVES(a, b)                                                                                \
    const struct ipr_evidence_move *const x = *(struct ipr_evidence_move *const *)(a);             \
    const struct ipr_evidence_move *const y = *(struct ipr_evidence_move *const *)(b)

static int by_points(const void *a, const void *b)
{
    MOVES(a, b);
    return by_number(-x->cost.lost, -y->cost.lost, x, y);
}

static int by_pawns(const void *a, const void *b)
{
    MOVES(a, b);
    return by_number(x->cost.played_cp - x->cost.best_cp, y->cost.played_cp - y->cost.best_cp, x,
                     y);
}

static int by_effect(const void *a, const void *b)
{
    MOVES(a, b);
    return by_number(x->effect, y->effect, x, y);
}

static int by_effect_down(const void *a, const void *b)
{
    MOVES(a, b);
    return by_number(-x->effect, -y->effect, x, y);
}

static int by_order(const void *a, const void *b)
{
    MOVES(a, b);
    return by_play(x, y);
}

static void evidence_sort(const struct ipr_evidence_set *set, int sort,
                          struct ipr_evidence_move **at, size_t n)
{
    static int (*const orders[])(const void *, const void *) = {
        [IPR_EVIDENCE_SORT__POINTS] = by_points, [IPR_EVIDENCE_SORT__LOSS] = by_pawns,
        [IPR_EVIDENCE_SORT_EFFECT] = by_effect,  [IPR_EVIDENCE_SORT__EFFECT] = by_effect_down,
        [IPR_EVIDENCE_SORT_GAME] = by_order,
    };

    if (sort == IPR_EVIDENCE_SORT_EFFECT || sort == IPR_EVIDENCE_SORT__EFFECT)
        ipr_evidence_effects(set, at, n);
    qsort(at, n, sizeof *at, orders[sort]);
}

/* ---- the answer ---- */

static double evidence_sum(struct ipr_evidence_move *const *at, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += at[i]->cost.lost;
    return sum;
}

/* Moves by expected points lost: limits of the marks, and below. */
static struct ipr_list_evidence_bin evidence_bins(struct ipr_evidence_move *const *at, size_t n,
                                                  double all_lost, struct ipr_arena *mem)
{
    static const double edges[] = { 0, 0.02, 0.05, 0.10, 0.20, 0.30, 0.50 };
    const size_t n_edges = sizeof edges / sizeof *edges;
    struct ipr_list_evidence_bin list = { ipr_arena_alloc(mem, n_edges, sizeof *list.at), n_edges };

    for (size_t k = 0; k < n_edges; k++) {
        const double to = k + 1 < n_edges ? edges[k + 1] : NAN;
        double lost = 0;
        int64_t moves = 0;

        for (size_t i = 0; i < n; i++) {
            /* A move played outside the lines can be better than their best. */
            const bool in = evidence_lost(at[i], k == 0 ? NAN : edges[k], to);
            moves += in;
            lost += in ? at[i]->cost.lost : 0;
        }
        list.at[k] =
            (struct ipr_answer_evidence_bin){ edges[k], to, moves,
                                              ipr_number_if(all_lost > 0, lost / all_lost) };
    }
    return list;
}

/* Returns the share that the few costliest of the moves have of all that was lost in the set. */
static struct ipr_answer_evidence_costliest *evidence_costliest(struct ipr_evidence_move *const *at,
                                                                size_t n, double all_lost,
                                                                struct ipr_arena *mem)
{
    double *const lost = ipr_arena_alloc(mem, n + 1, sizeof *lost);
    const size_t few = n < COSTLIEST ? n : COSTLIEST;
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        lost[i] = at[i]->cost.lost;
    qsort(lost, n, sizeof *lost, ipr_compare_double);
    for (size_t i = n - few; i < n; i++)
        sum += lost[i];
    const struct ipr_answer_evidence_costliest out = { (int64_t)few, sum / all_lost };
    return all_lost > 0 && few > 0 ? ipr_shape_copy(IPR_SHAPE_EVIDENCE_COSTLIEST, &out, mem) : NULL;
}

static struct ipr_figure_rating_short *evidence_rating(const struct ipr_view_context *c,
                                                       const struct ipr_evidence_person *who)
{
    const struct ipr_db_strength sums = { .judge_id = c->judge_id,
                                          .score = who->score,
                                          .information = who->information,
                                          .moves = who->moves,
                                          .games = who->games,
                                          .mix = who->mix };
    const struct ipr_figure_rating_short rating = ipr_strength_short(c, &sums);

    return ipr_shape_copy(IPR_SHAPE_RATING_SHORT, &rating, c->v->mem);
}

/* The rating of the one person of the set, and without the moves at[n]. */
static void evidence_ratings(const struct ipr_view_context *c, const struct ipr_evidence_set *set,
                             const struct ipr_evidence_request *p,
                             struct ipr_evidence_move *const *at, size_t n,
                             struct ipr_answer_evidence *out)
{
    bool told = true; /* what each of the moves adds */

    if (p->player == 0 || set->n == 0 || !c->rates)
        return;
    struct ipr_evidence_person rest = *ipr_evidence_person_of(set, &set->moves[0]);

    out->rating = evidence_rating(c, &rest);
    for (size_t i = 0; i < n; i++) {
        told = told && at[i]->turn->moves != NULL;
        ipr_evidence_subtract(&rest, at[i]);
    }
    if (n < set->n && rest.information > 0 && told)
        out->rating_without = evidence_rating(c, &rest);
}

/* Adds up the parts of all moves of the set's person, and those of at[n]. */
static struct ipr_answer_evidence_parts *evidence_parts(const struct ipr_evidence_set *set,
                                                        const struct ipr_evidence_request *p,
                                                        struct ipr_evidence_move *const *at,
                                                        size_t n, struct ipr_arena *mem)
{
    const struct ipr_evidence_person *const who =
        p->player != 0 && set->n > 0 ? ipr_evidence_person_of(set, &set->moves[0]) : NULL;
    int64_t score = 0, information = 0;

    if (who == NULL || isnan(who->parts.to))
        return NULL;
    for (size_t i = 0; i < n; i++) {
        score += at[i]->strength.score;
        information += at[i]->strength.information;
    }
    const double figures =
        ipr_strength_part_of_stored(&who->parts, who->figures.score, who->figures.information);
    const struct ipr_answer_evidence_parts out = {
        who->parts.from, who->parts.to,
        ipr_strength_part_of_stored(&who->parts, who->score, who->information),
        ipr_strength_part_of_stored(&who->parts, score, information),
        ipr_number_if(who->figures.moves > 0, figures)
    };
    return ipr_shape_copy(IPR_SHAPE_EVIDENCE_PARTS, &out, mem);
}

/* Adds up the moves at[n] of an answer. */
static struct ipr_answer_evidence_shown evidence_shown(const struct ipr_evidence_set *set,
                                                       struct ipr_evidence_move *const *at,
                                                       size_t n, double all_lost, bool parts)
{
    int64_t loss = 0;
    double part = 0;

    for (size_t i = 0; i < n; i++) {
        loss += at[i]->cost.best_cp - at[i]->cost.played_cp;
        part += at[i]->strength.counts ? ipr_evidence_part(set, at[i]) : 0;
    }
    const double lost = evidence_sum(at, n);
    return (struct ipr_answer_evidence_shown){ (int64_t)n, lost, loss,
                                               ipr_number_if(all_lost > 0, lost / all_lost),
                                               ipr_number_if(parts, part) };
}

static int64_t evidence_timed(const struct ipr_evidence_set *set)
{
    int64_t n = 0;

    for (size_t i = 0; i < set->n; i++)
        n += set->moves[i].clock_ms >= 0;
    return n;
}

static void evidence_totals(const struct ipr_evidence_set *set, size_t n, double lost,
                            double all_lost, struct ipr_answer_evidence *out)
{
    out->games = (int64_t)set->n_games;
    out->games_without_moves = (int64_t)set->without_moves;
    out->all_moves = (int64_t)set->n;
    out->moves_as_figures = (int64_t)set->figures;
    out->all_points_lost = all_lost;
    out->found = (int64_t)n;
    out->points_lost = lost;
    out->share = ipr_number_if(all_lost > 0, lost / all_lost);
    out->clocks = evidence_timed(set);
}

static enum ipr_code evidence_answer(const struct ipr_view_context *c,
                                     const struct ipr_view_context *wide,
                                     const struct ipr_evidence_request *p,
                                     const struct ipr_evidence_set *set,
                                     struct ipr_answer_evidence *out, struct ipr_err *err)
{
    struct ipr_evidence_move **const at = ipr_arena_alloc(c->v->mem, set->n + 1, sizeof *at);
    double all_lost = 0;
    size_t n = 0, in = 0;
    int64_t first = 0;

    for (size_t i = 0; i < set->n; i++) {
        all_lost += set->moves[i].cost.lost;
        if (evidence_in(&set->moves[i], p))
            at[n++] = &set->moves[i];
    }
    out->bins = evidence_bins(at, n, all_lost, c->v->mem);
    for (size_t i = 0; i < n; i++)
        if (evidence_lost(at[i], p->lost_from, p->lost_to))
            at[in++] = at[i];
    evidence_totals(set, in, evidence_sum(at, in), all_lost, out);
    out->costliest = evidence_costliest(at, in, all_lost, c->v->mem);
    evidence_ratings(c, set, p, at, in, out);
    out->parts = evidence_parts(set, p, at, in, c->v->mem);
    evidence_sort(set, p->sort, at, in);
    enum ipr_code rc = ipr_param_cursor(p->after, INT32_MAX, &first, err);
    const size_t from = (size_t)first < in ? (size_t)first : in;
    const size_t shown = in - from < (size_t)p->limit ? in - from : (size_t)p->limit;
    if (rc == IPR_OK) {
        ipr_evidence_effects(set, at + from, shown);
        rc = ipr_evidence_rows(wide, set, at + from, shown, all_lost, &out->moves, err);
    }
    out->shown = evidence_shown(set, at + from, shown, all_lost, out->parts != NULL);
    if (from + shown < in)
        out->next = ipr_arena_printf(c->v->mem, "%zu", from + shown);
    return rc;
}

/* NULL: none was requested. */
static struct ipr_figure_named *evidence_named(int64_t id, const char *name, struct ipr_arena *mem)
{
    const struct ipr_figure_named named = ipr_named(id, name);

    return id != 0 ? ipr_shape_copy(IPR_SHAPE_NAMED, &named, mem) : NULL;
}

static enum ipr_code evidence_names(const struct ipr_view_context *c,
                                    const struct ipr_evidence_request *p, int32_t *root,
                                    struct ipr_answer_evidence *out, struct ipr_err *err)
{
    struct ipr_arena *const mem = c->v->mem;
    struct ipr_db_player player = { 0 }, opponent = { 0 };
    struct ipr_db_event event = { 0 };
    enum ipr_code rc = IPR_OK;

    if (p->player != 0)
        rc = ipr_db_player_get(c->v->db, p->player, c->judge_id, c->times, mem, &player, err);
    if (rc == IPR_OK && p->opponent != 0)
        rc = ipr_db_player_get(c->v->db, p->opponent, c->judge_id, c->times, mem, &opponent, err);
    if (rc == IPR_OK && p->event != 0)
        rc = ipr_db_event_get(c->v->db, p->event, mem, &event, err);
    if (rc != IPR_OK)
        return rc;
    *root = player.id;
    out->player = evidence_named(player.id, player.name, mem);
    out->opponent = evidence_named(opponent.id, opponent.name, mem);
    out->event = evidence_named(p->event, event.name, mem);
    return IPR_OK;
}

enum ipr_code ipr_fill_evidence(const struct ipr_view_context *c,
                                const struct ipr_evidence_request *p,
                                struct ipr_answer_evidence *out, struct ipr_err *err)
{
    struct ipr_evidence_set set = { 0 };
    struct evidence_found found = { .p = p };
    struct ipr_view_context *const own = ipr_arena_alloc(c->v->mem, 1, sizeof *own);
    int32_t root = 0;

    *own = (struct ipr_view_context){ .v = c->v }; /* the answer points to it */
    enum ipr_code rc = evidence_names(c, p, &root, out, err);

    if (rc == IPR_OK)
        rc = ipr_setting_for(c->v, IPR_FOR_MOVES,
                             &(struct ipr_setting_scope){ p->judge, evidence_count, &found }, own,
                             err);
    const int64_t *const ids = found.by[own->candidate].ids;
    const size_t n = found.by[own->candidate].n;
    if (rc == IPR_OK)
        rc = evidence_opponents(own, p, ids, n, root, &out->opponents, err);
    if (rc == IPR_OK)
        rc = ipr_evidence_load(own, ids, n, root, &set, err);
    if (rc == IPR_OK) {
        out->judge = ipr_view_context_setting(own);
        out->time_classes = ipr_view_context_classes(c);
        rc = evidence_answer(own, c, p, &set, out, err);
    }
    ipr_view_context_close(own);
    return rc;
}
