/* The games of a profile: a row each, the newest first. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/openings.h"
#include "view/evidence/positions.h"
#include "view/evidence/profile.h"

double ipr_profile_points(const struct ipr_db_evidence_game *g, bool black)
{
    if (g->result == IPR_RESULT_UNKNOWN)
        return NAN;
    if (g->result == IPR_DRAW)
        return .5;
    return (g->result == IPR_BLACK_WINS) == black ? 1 : 0;
}

void ipr_profile_moment(const struct ipr_evidence_set *set, const struct ipr_evidence_move *m,
                        struct ipr_arena *mem, struct ipr_answer_profile_moment *out)
{
    const struct ipr_db_evidence_game *const g = &set->games[m->game];
    const unsigned ply = m->turn->ply;

    out->ply = ply;
    out->number = ipr_pos_number(&g->start, ply);
    out->lost = m->cost.lost;
    if (m->mark != IPR_MARK_NONE)
        out->mark = ipr_mark_name(m->mark);
    if (ply < g->n_moves) {
        const struct ipr_pos pos = ipr_position_before(g, ply);

        out->san = ipr_game_move(&pos, g->moves[ply], mem).san;
    }
}

static void game_moves(const struct ipr_evidence_set *set, size_t first, size_t n,
                       struct ipr_arena *mem, struct ipr_answer_profile_game *out)
{
    const struct ipr_evidence_move *const moves = &set->moves[first], *worst = moves;
    double accuracy = 0;

    out->moves = (int64_t)n;
    out->lost = 0;
    out->expected.at = ipr_arena_alloc(mem, n + 1, sizeof *out->expected.at);
    out->expected.n = n + 1;
    for (size_t i = 0; i < n; i++) {
        out->lost += fmax(moves[i].searched.lost, 0);
        accuracy += ipr_accuracy(moves[i].searched.best_cp, moves[i].searched.played_cp);
        out->expected.at[i] = moves[i].searched.expected;
        worst = moves[i].cost.lost > worst->cost.lost ? &moves[i] : worst;
    }
    out->expected.at[n] = moves[n - 1].searched.expected_played;
    out->accuracy = accuracy / (double)n / 100;
    if (worst->cost.lost >= IPR_MARK_INACCURACY_AT) {
        out->worst = ipr_shape_new(IPR_SHAPE_PROFILE_MOMENT, mem);
        ipr_profile_moment(set, worst, mem, out->worst);
    }
}

/* The server that a game's ratings are of, if that is not the pool's. */
static const char *game_server(const struct ipr_pool *pool, const struct ipr_db_evidence_game *g)
{
    const struct ipr_pgn_tag tags[] = { { ipr_str_c("Site"), ipr_str_c(g->site) },
                                        { ipr_str_c("Link"), ipr_str_c(g->link) } };

    return ipr_pool_foreign(pool, ipr_game_server(tags, 2));
}

static int by_date(const void *a, const void *b)
{
    const struct ipr_answer_profile_game *const x = a, *const y = b;
    const int dates = strcmp(y->date, x->date);

    return dates != 0 ? dates : (x->id < y->id) - (x->id > y->id);
}

void ipr_profile_games_fill(const struct ipr_profile_source *from,
                            const struct ipr_opening *opening, struct ipr_arena *mem,
                            struct ipr_answer_profile *out)
{
    const struct ipr_evidence_set *const set = from->set;
    struct ipr_answer_profile_game *const list =
        ipr_shape_list(IPR_SHAPE_PROFILE_GAME, set->n_games, mem);
    size_t n = 0, tagged = 0, foreign = 0;
    double elo = 0;

    out->points = 0;
    out->scored = 0;
    for (size_t i = 0, end; i < set->n; i = end) {
        const struct ipr_db_evidence_game *const g = &set->games[set->moves[i].game];
        const bool black = set->moves[i].turn->mover == IPR_BLACK;
        struct ipr_answer_profile_game *const to = &list[n++];

        for (end = i; end < set->n && set->moves[end].game == set->moves[i].game; end++)
            ;
        to->id = g->id;
        to->date = g->date;
        to->opponent = black ? ipr_named(g->white_id, g->white) : ipr_named(g->black_id, g->black);
        to->color = black ? "black" : "white";
        to->points = ipr_profile_points(g, black);
        to->played_opening = ipr_opened(&opening[i], mem);
        game_moves(set, i, end - i, mem, to);
        const char *const server = game_server(from->pool, g);

        out->server = out->server == NULL ? server : out->server;
        foreign += server != NULL && server == out->server;
        elo += black ? g->black_elo : g->white_elo;
        tagged += (black ? g->black_elo : g->white_elo) > 0;
        if (!isnan(to->points)) {
            out->points += to->points;
            out->scored++;
        }
    }
    if (tagged == n && n > 0 && (foreign == n || out->server == NULL))
        out->elo = elo / (double)n;
    qsort(list, n, sizeof *list, by_date);
    out->list = (struct ipr_list_profile_game){ list, n };
    if (n > 0) {
        out->last_date = list[0].date;
        out->first_date = list[n - 1].date;
    }
}
