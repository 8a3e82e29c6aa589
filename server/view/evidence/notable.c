/* The best game of a player, the costliest error, the hardest move found, and the rival. */
#include <math.h>

#include "view/evidence/profile.h"
#include "view/json.h"

#define NOTABLE_GAMES 1000 /* the newest, whose moves are looked at */
#define BEST_MOVES    20   /* analysed, of the best game */
#define RIVAL_GAMES   10

struct notable_games {
    const struct ipr_player_request *p;
    struct {
        int64_t *ids;
        size_t n;
    } by[IPR_SETTING_CANDIDATES];
};

static enum ipr_code notable_count(void *of, size_t i, const struct ipr_view_context *c, int64_t *n,
                                   struct ipr_err *err)
{
    struct notable_games *const w = of;
    enum ipr_code rc = IPR_OK;

    if (c->judge_id != 0)
        rc = ipr_db_games_shown(c->v->db, (int32_t)w->p->player, c->judge_id, c->times,
                                NOTABLE_GAMES, c->v->mem, &w->by[i].ids, &w->by[i].n, err);
    *n = (int64_t)w->by[i].n;
    return rc;
}

static struct ipr_figure_named notable_opponent(const struct ipr_evidence_set *set,
                                                const struct ipr_evidence_move *m)
{
    const struct ipr_db_evidence_game *const g = &set->games[m->game];

    return m->turn->mover == IPR_WHITE ? ipr_named(g->black_id, g->black)
                                       : ipr_named(g->white_id, g->white);
}

/* How much every other move loses against the best one, by the confirmed search. */
static double move_gap(const struct ipr_evidence_move *m)
{
    double next = 0;

    for (unsigned i = 0; i < m->turn->lines; i++)
        if (i != m->turn->played)
            next = fmax(next, ipr_points(m->turn->score[i]));
    return m->cost.expected - next;
}

static struct ipr_answer_notable_move *notable_move(const struct ipr_evidence_set *set,
                                                    const struct ipr_evidence_move *m,
                                                    struct ipr_arena *mem)
{
    struct ipr_answer_notable_move *const out = ipr_shape_new(IPR_SHAPE_NOTABLE_MOVE, mem);

    ipr_profile_moment(set, m, mem, &out->profile_moment);
    out->game = set->games[m->game].id;
    out->year = set->games[m->game].year;
    out->opponent = notable_opponent(set, m);
    out->white = m->turn->mover == IPR_WHITE;
    out->gap = move_gap(m);
    return out;
}

/* Marks are of confirmed moves alone. */
static void notable_moves(const struct ipr_evidence_set *set, struct ipr_arena *mem,
                          struct ipr_answer_notable *out)
{
    const struct ipr_evidence_move *worst = NULL, *hardest = NULL;

    for (size_t i = 0; i < set->n; i++) {
        const struct ipr_evidence_move *const m = &set->moves[i];

        if (m->mark >= IPR_MARK_FOUND && (hardest == NULL || move_gap(m) > move_gap(hardest)))
            hardest = m;
        else if (m->mark == IPR_MARK_BLUNDER && (worst == NULL || m->cost.lost > worst->cost.lost))
            worst = m;
    }
    out->costliest = worst != NULL ? notable_move(set, worst, mem) : NULL;
    out->hardest = hardest != NULL ? notable_move(set, hardest, mem) : NULL;
}

static void notable_game(const struct ipr_evidence_set *set, struct ipr_arena *mem,
                         struct ipr_answer_notable *out)
{
    for (size_t i = 0, end; i < set->n; i = end) {
        const struct ipr_evidence_move *const m = &set->moves[i];
        const struct ipr_db_evidence_game *const g = &set->games[m->game];
        double lost = 0;

        for (end = i; end < set->n && set->moves[end].game == m->game; end++)
            lost += fmax(set->moves[end].cost.lost, 0);
        if (end - i < BEST_MOVES ||
            g->result != (m->turn->mover == IPR_WHITE ? IPR_WHITE_WINS : IPR_BLACK_WINS) ||
            (out->best_game != NULL && out->best_game->lost <= lost))
            continue;
        out->best_game = ipr_shape_new(IPR_SHAPE_NOTABLE_GAME, mem);
        *out->best_game = (struct ipr_answer_notable_game){ g->id, notable_opponent(set, m),
                                                            g->year, (int64_t)(end - i), lost };
    }
}

static enum ipr_code notable_rival(const struct ipr_view_context *c, int32_t player,
                                   struct ipr_answer_notable *out, struct ipr_err *err)
{
    struct ipr_db_rival *row = NULL;
    size_t n = 0;
    const enum ipr_code rc =
        ipr_db_rivals(c->v->db, player, c->times, RIVAL_GAMES, c->v->mem, &row, &n, err);

    if (rc == IPR_OK && n > 0) {
        out->rival = ipr_shape_new(IPR_SHAPE_RIVAL, c->v->mem);
        *out->rival = (struct ipr_answer_rival){ .named = ipr_named(row->id, row->name),
                                                 .won = row->won,
                                                 .lost = row->lost,
                                                 .drawn = row->drawn };
    }
    return rc;
}

enum ipr_code ipr_view_add_notable(const struct ipr_view *v, const struct ipr_player_request *p,
                                   json_t *out, struct ipr_err *err)
{
    struct ipr_answer_notable *const notable = ipr_shape_new(IPR_SHAPE_NOTABLE, v->mem);
    const int32_t person = (int32_t)ipr_json_at(out, "id", 0);
    struct notable_games w = { .p = p };
    struct ipr_evidence_set set = { 0 };
    struct ipr_view_context c = { 0 };
    enum ipr_code rc = ipr_setting_for(
        v, IPR_FOR_PROFILE, &(struct ipr_setting_scope){ p->judge, notable_count, &w }, &c, err);

    if (rc == IPR_OK)
        rc = ipr_evidence_load(&c, w.by[c.candidate].ids, w.by[c.candidate].n, person, &set, err);
    if (rc == IPR_OK)
        rc = notable_rival(&c, person, notable, err);
    if (rc == IPR_OK) {
        notable_moves(&set, v->mem, notable);
        notable_game(&set, v->mem, notable);
        json_object_update_new(out, ipr_shape_page_json(IPR_SHAPE_NOTABLE, notable));
    }
    ipr_view_context_close(&c);
    return rc;
}
