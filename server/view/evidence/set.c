/* The moves of a set of games, with their costs and what they add to the rating. */
#include <math.h>
#include <stdlib.h>

#include "pgn/notes.h"
#include "view/evidence/evidence.h"

int32_t ipr_evidence_mover(const struct ipr_evidence_set *set, const struct ipr_evidence_move *m)
{
    const struct ipr_db_evidence_game *const g = &set->games[m->game];

    return m->turn->mover == IPR_WHITE ? g->white_id : g->black_id;
}

int32_t ipr_evidence_opponent(const struct ipr_evidence_set *set, const struct ipr_evidence_move *m)
{
    const struct ipr_db_evidence_game *const g = &set->games[m->game];

    return m->turn->mover == IPR_WHITE ? g->black_id : g->white_id;
}

/* ---- one game ---- */

static const struct ipr_pgn_note *clock_of(const struct ipr_pgn_note *notes, size_t n, unsigned ply)
{
    for (size_t i = 0; i < n && notes[i].ply <= ply; i++)
        if (notes[i].ply == ply && notes[i].kind == IPR_NOTE_CLK)
            return &notes[i];
    return NULL;
}

/* The clocks of the moves moves[n] of one game. */
static enum ipr_code evidence_clocks(const struct ipr_db_evidence_game *g, struct ipr_arena *mem,
                                     struct ipr_evidence_move *moves, size_t n, struct ipr_err *err)
{
    struct ipr_pgn_note *notes = NULL;
    size_t n_notes = 0;
    const enum ipr_code rc = ipr_notes_unpack(g->notes, mem, &notes, &n_notes, err);

    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        const struct ipr_pgn_note *const at = clock_of(notes, n_notes, moves[i].turn->ply + 1u);

        moves[i].clock_ms = at != NULL ? at->ms : -1;
    }
    return rc;
}

static void evidence_game(const struct ipr_view_context *c, struct ipr_evidence_set *set, size_t at,
                          const struct ipr_judged_game *judged, int32_t mover)
{
    const struct ipr_db_evidence_game *const g = &set->games[at];
    struct ipr_move_strength *const strength =
        ipr_arena_alloc(c->v->mem, judged->n + 1, sizeof *strength);
    struct ipr_pos pos = g->start;
    size_t ply = 0;

    if (ipr_judge_tells_strength(&c->judge))
        ipr_move_strengths(&g->start, g->moves, g->n_moves, judged, strength);
    for (size_t i = 0; i < judged->n && judged->turns[i].ply < g->n_moves; i++) {
        const struct ipr_judged_turn *const t = &judged->turns[i];
        struct ipr_evidence_move m = {
            .game = (uint32_t)at, .turn = t, .strength = strength[i], .clock_ms = -1, .effect = NAN
        };

        for (; ply < t->ply; ply++)
            ipr_pos_play(&pos, g->moves[ply]);
        if (t->legal < 2 || (mover != 0 && ipr_evidence_mover(set, &m) != mover))
            continue;
        const struct ipr_turn turn = ipr_db_turn_of(t, g->year, c->judge.multipv, c->v->mem);
        m.cost = ipr_move_cost_of(&pos, t, &turn);
        set->moves[set->n++] = m;
    }
}

/* ---- people ---- */

static int by_id(const void *a, const void *b)
{
    const struct ipr_evidence_person *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

const struct ipr_evidence_person *ipr_evidence_person_of(const struct ipr_evidence_set *set,
                                                         const struct ipr_evidence_move *m)
{
    const struct ipr_evidence_person key = { .id = ipr_evidence_mover(set, m) };

    return bsearch(&key, set->people, set->n_people, sizeof key, by_id);
}

/* Everybody who is in a game, once. */
static void evidence_people(struct ipr_evidence_set *set, struct ipr_arena *mem)
{
    struct ipr_evidence_person *const p = ipr_arena_alloc(mem, 2 * set->n_games + 1, sizeof *p);
    size_t n = 0;

    for (size_t i = 0; i < set->n_games; i++) {
        p[2 * i].id = set->games[i].white_id;
        p[2 * i + 1].id = set->games[i].black_id;
    }
    qsort(p, 2 * set->n_games, sizeof *p, by_id);
    for (size_t i = 0; i < 2 * set->n_games; i++)
        if (n == 0 || p[n - 1].id != p[i].id)
            p[n++] = p[i];
    set->people = p;
    set->n_people = n;
    for (size_t i = 0; i < set->n; i++) {
        const struct ipr_evidence_move *const m = &set->moves[i];
        struct ipr_evidence_person *const who =
            &set->people[ipr_evidence_person_of(set, m) - set->people];
        const bool same =
            i > 0 && m[-1].game == m->game && ipr_evidence_mover(set, &m[-1]) == who->id;

        who->score += m->strength.score;
        who->information += m->strength.information;
        who->moves += m->strength.counts;
        who->games += !same;
    }
    for (size_t i = 0; i < n; i++)
        p[i].parts = ipr_strength_parts_of_stored(p[i].score, p[i].information);
}

enum ipr_code ipr_evidence_load(const struct ipr_view_context *c, const int64_t *ids, size_t n_ids,
                                int32_t mover, struct ipr_evidence_set *out, struct ipr_err *err)
{
    struct ipr_arena *const mem = c->v->mem;
    struct ipr_judged_game *const judged = ipr_arena_alloc(mem, n_ids + 1, sizeof *judged);
    struct ipr_db_evidence_game *games = NULL;
    struct ipr_evidence_set set = { 0 };
    size_t room = 0;

    enum ipr_code rc = ipr_db_evidence_games(c->v->db, ids, n_ids, mem, &games, &set.n_games, err);
    set.games = games;
    if (rc == IPR_OK)
        rc = ipr_db_games_turns(c->v->db, c->judge_id, (c->times & IPR_TIME_OWN) != 0, games,
                                set.n_games, mem, judged, err);
    for (size_t i = 0; rc == IPR_OK && i < set.n_games; i++) {
        room += judged[i].n;
        set.without_moves += judged[i].n == 0;
    }
    set.moves = ipr_arena_alloc(mem, room + 1, sizeof *set.moves);
    for (size_t i = 0; rc == IPR_OK && i < set.n_games; i++) {
        const size_t first = set.n;

        evidence_game(c, &set, i, &judged[i], mover);
        rc = evidence_clocks(&games[i], mem, &set.moves[first], set.n - first, err);
    }
    if (rc != IPR_OK)
        return rc;
    evidence_people(&set, mem);
    *out = set;
    return IPR_OK;
}

/* ---- a move's part, and the rating without it ---- */

double ipr_evidence_part(const struct ipr_evidence_set *set, const struct ipr_evidence_move *m)
{
    return m->strength.counts
               ? ipr_strength_part_of_stored(&ipr_evidence_person_of(set, m)->parts,
                                             m->strength.score, m->strength.information)
               : NAN;
}

double ipr_evidence_rating(int64_t score, int64_t information)
{
    if (information <= 0)
        return NAN;
    const double mean = ipr_strength_of_stored(score, information).mean;

    return mean >= IPR_STRENGTH_ELO_MIN && mean <= IPR_STRENGTH_ELO_MAX ? mean : NAN;
}

void ipr_evidence_effects(const struct ipr_evidence_set *set, struct ipr_evidence_move **at,
                          size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct ipr_move_strength *const s = &at[i]->strength;
        const struct ipr_evidence_person *const who = ipr_evidence_person_of(set, at[i]);

        if (s->counts)
            at[i]->effect =
                ipr_evidence_rating(who->score, who->information) -
                ipr_evidence_rating(who->score - s->score, who->information - s->information);
    }
}
