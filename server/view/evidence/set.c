/* The moves of a set of games, with their costs and what they add to the rating. */
#include <math.h>
#include <stdlib.h>

#include "core/pools.h"
#include "model/profile.h"
#include "pgn/notes.h"
#include "view/evidence/evidence.h"

int32_t ipr_evidence_mover(const struct ipr_evidence_set *set, const struct ipr_evidence_move *m)
{
    const struct ipr_db_evidence_game *const g = &set->games[m->game];

    return m->turn->mover == IPR_WHITE ? g->white_id : g->black_id;
}

/* ---- one game ---- */

/* Time left after so many half-moves; -1: the file does not say. */
static int64_t clock_after(const struct ipr_pgn_note *notes, size_t n, unsigned ply)
{
    for (size_t i = 0; i < n && notes[i].ply <= ply; i++)
        if (notes[i].ply == ply && notes[i].kind == IPR_NOTE_CLK)
            return notes[i].ms;
    return -1;
}

/* The time left before the move is what was left after the player's move before it; the time at the
 * start is what was left after the first one. */
static int8_t clock_hurried(const struct ipr_pgn_note *notes, size_t n, unsigned ply)
{
    const int64_t start = clock_after(notes, n, ply % 2 + 1);
    const int64_t left = ply < 2 ? -1 : clock_after(notes, n, ply - 1);

    return start < 0 || left < 0 ? -1 : left < ipr_profile_hurried_below(start);
}

/* The clocks of the moves moves[n] of one game. */
static enum ipr_code evidence_clocks(const struct ipr_db_evidence_game *g, struct ipr_arena *mem,
                                     struct ipr_evidence_move *moves, size_t n, struct ipr_err *err)
{
    struct ipr_pgn_note *notes = NULL;
    size_t n_notes = 0;
    const enum ipr_code rc = ipr_notes_unpack(g->notes, mem, &notes, &n_notes, err);

    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        moves[i].clock_ms = clock_after(notes, n_notes, moves[i].turn->ply + 1u);
        moves[i].hurried = clock_hurried(notes, n_notes, moves[i].turn->ply);
    }
    return rc;
}

static struct ipr_move_cost evidence_cost(const struct ipr_evidence_judge *by,
                                          const struct ipr_db_evidence_game *g,
                                          const struct ipr_pos *pos,
                                          const struct ipr_judged_turn *t, struct ipr_arena *mem)
{
    const struct ipr_turn turn = ipr_db_turn_of(t, g->year, by->judge->multipv, mem);

    return ipr_move_cost_of(pos, &turn);
}

/* Which moves of a game of a name with itself are a person's is not known. */
static bool evidence_is_of(const struct ipr_db_evidence_game *g, int32_t id, int32_t mover)
{
    return mover == 0 || (id == mover && g->white_id != g->black_id);
}

/* The turns of a game; `strength`: what each adds to the rating, NULL: not known move by move. */
static void evidence_turns(const struct ipr_evidence_judge *by, struct ipr_arena *mem,
                           struct ipr_evidence_set *set, size_t at,
                           const struct ipr_judged_game *judged, const struct ipr_marked *marked,
                           const struct ipr_move_strength *strength, int32_t mover)
{
    const struct ipr_db_evidence_game *const g = &set->games[at];
    struct ipr_pos pos = g->start;
    size_t ply = 0;

    for (size_t i = 0; i < judged->n; i++) {
        const struct ipr_judged_turn *const t = &judged->turns[i];
        const bool placed = t->ply < g->n_moves;
        struct ipr_evidence_move m = { .game = (uint32_t)at,
                                       .turn = t,
                                       .clock_ms = -1,
                                       .hurried = -1,
                                       .effect = NAN,
                                       .engine = by->engine };

        for (; placed && ply < t->ply; ply++)
            ipr_pos_play(&pos, g->moves[ply]);
        if (!placed && t->moves != NULL)
            break;
        if (by->engine != NULL && !(by->of[at].counts >> t->mover & 1u))
            continue;
        if (t->legal < 2 || !evidence_is_of(g, ipr_evidence_mover(set, &m), mover))
            continue;
        if (strength != NULL)
            m.strength = strength[i];
        m.cost = m.searched = evidence_cost(by, g, placed ? &pos : NULL, t, mem);
        if (marked != NULL && marked[t->ply].by != NULL) {
            m.turn = marked[t->ply].by;
            m.mark = marked[t->ply].mark;
            m.cost = evidence_cost(by, g, &pos, m.turn, mem);
        }
        set->moves[set->n++] = m;
    }
}

static void evidence_game(const struct ipr_evidence_judge *by, struct ipr_arena *mem,
                          const struct ipr_judged_game *confirmed, struct ipr_evidence_set *set,
                          size_t at, int32_t mover)
{
    const struct ipr_db_evidence_game *const g = &set->games[at];
    const struct ipr_db_game_evidence *const of = &by->of[at];
    struct ipr_move_strength *const strength =
        ipr_arena_alloc(mem, of->judged.n + 1, sizeof *strength);
    if (by->engine != NULL)
        ipr_move_strengths(by->judge, &g->start, g->moves, g->n_moves, &of->judged, strength);
    struct ipr_marked *marked = NULL;

    if (confirmed->n > 0 && g->n_moves > 0) {
        marked = ipr_arena_alloc(mem, g->n_moves + 1, sizeof *marked);
        ipr_mark_moves(&g->start, g->moves, g->n_moves, &of->judged, &of->judged, confirmed,
                       marked);
    }
    evidence_turns(by, mem, set, at, &of->judged, marked, strength, mover);
    const size_t listed = set->n;
    evidence_turns(by, mem, set, at, &of->figures, marked, NULL, mover);
    set->figures += set->n - listed;
}

/* Those whose evaluations are taken; *n is set. */
static enum ipr_code evidence_judges(const struct ipr_view_context *c,
                                     const struct ipr_db_evidence_game *games, size_t n_games,
                                     struct ipr_evidence_judge **out, size_t *n,
                                     struct ipr_err *err)
{
    struct ipr_arena *const mem = c->v->mem;
    struct ipr_db_judge_row *rows = ipr_arena_alloc(mem, 1, sizeof *rows);
    size_t n_rows = 1;

    *rows = (struct ipr_db_judge_row){ .id = c->judge_id, .judge = c->judge };
    enum ipr_code rc = c->rates ? ipr_db_judge_list(c->v->db, mem, &rows, &n_rows, err) : IPR_OK;
    *out = ipr_arena_alloc(mem, n_rows, sizeof **out);
    for (size_t i = 0; rc == IPR_OK && i < n_rows; i++) {
        if (rows[i].rates != c->rates)
            continue;
        struct ipr_db_game_evidence *const of = ipr_arena_alloc(mem, n_games + 1, sizeof *of);

        rc = ipr_db_games_turns(c->v->db, rows[i].id, (c->times & IPR_TIME_OWN) != 0, games,
                                n_games, mem, of, err);
        (*out)[(*n)++] = (struct ipr_evidence_judge){
            &rows[i].judge, c->rates ? ipr_judge_strength_engine(&rows[i].judge) : NULL, of
        };
    }
    return rc;
}

static enum ipr_code evidence_confirmed(const struct ipr_view_context *c,
                                        const struct ipr_db_evidence_game *games, size_t n,
                                        struct ipr_judged_game **out, struct ipr_err *err)
{
    int64_t *const ids = ipr_arena_alloc(c->v->mem, n, sizeof *ids);

    for (size_t i = 0; i < n; i++)
        ids[i] = games[i].id;
    *out = ipr_arena_alloc(c->v->mem, n, sizeof **out);
    return ipr_db_confirmed_games(c->v->db, ids, n, c->v->mem, *out, err);
}

/* ---- people ---- */

static int by_id(const void *a, const void *b)
{
    const struct ipr_evidence_person *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

/* Everybody who is in a game is among the people. */
static struct ipr_evidence_person *person_at(const struct ipr_evidence_set *set, int32_t id)
{
    size_t from = 0, to = set->n_people;

    while (to - from > 1) {
        const size_t middle = (from + to) / 2;

        if (set->people[middle].id <= id)
            from = middle;
        else
            to = middle;
    }
    return &set->people[from];
}

const struct ipr_evidence_person *ipr_evidence_person_of(const struct ipr_evidence_set *set,
                                                         const struct ipr_evidence_move *m)
{
    return person_at(set, ipr_evidence_mover(set, m));
}

static void person_add(struct ipr_evidence_person *who, const struct ipr_strength_engine *engine,
                       const struct ipr_side_sums *sums)
{
    who->score += sums->score;
    who->information += sums->information;
    who->moves += sums->moves;
    if (engine != NULL)
        ipr_strength_mix_add(&who->mix, engine, (double)sums->information);
    who->figures.score += sums->score;
    who->figures.information += sums->information;
    who->figures.moves += sums->moves;
}

/* Adds sides of which only figures are stored: what single moves add to the rating is unknown. */
static void evidence_add_figures(struct ipr_evidence_set *set, const struct ipr_evidence_judge *by,
                                 int32_t mover)
{
    for (size_t i = 0; i < set->n_games; i++)
        for (unsigned colour = 0; colour < 2; colour++) {
            const struct ipr_side_sums *const sums = &by->of[i].sums[colour];
            const int32_t id =
                colour == IPR_WHITE ? set->games[i].white_id : set->games[i].black_id;

            if (sums->version == IPR_STRENGTH_SUMS_VERSION &&
                evidence_is_of(&set->games[i], id, mover))
                person_add(person_at(set, id), by->engine, sums);
        }
}

/* Everybody who is in a game, once. */
static void evidence_people(struct ipr_evidence_set *set, const struct ipr_evidence_source *from,
                            int32_t mover, struct ipr_arena *mem)
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
        struct ipr_evidence_person *const who = person_at(set, ipr_evidence_mover(set, m));
        const bool same =
            i > 0 && m[-1].game == m->game && ipr_evidence_mover(set, &m[-1]) == who->id;

        who->score += m->strength.score;
        who->information += m->strength.information;
        if (m->engine != NULL)
            ipr_strength_mix_add(&who->mix, m->engine, (double)m->strength.information);
        who->moves += m->strength.counts;
        who->games += !same;
        who->classes |= IPR_TIME_BIT(set->games[m->game].time_class);
    }
    for (size_t i = 0; i < from->n_by; i++)
        evidence_add_figures(set, &from->by[i], mover);
    for (size_t i = 0; i < n; i++)
        p[i].parts = ipr_strength_parts_of_stored(&ipr_pool_of(p[i].classes)->moves, &p[i].mix,
                                                  p[i].score, p[i].information);
}

enum ipr_code ipr_evidence_make(const struct ipr_evidence_source *from, int32_t mover,
                                struct ipr_arena *mem, struct ipr_evidence_set *out,
                                struct ipr_err *err)
{
    struct ipr_evidence_set set = { .games = from->games, .n_games = from->n_games };
    size_t room = 0;

    for (size_t i = 0; i < from->n_by * set.n_games; i++) {
        const struct ipr_db_game_evidence *const of =
            &from->by[i / set.n_games].of[i % set.n_games];

        room += of->judged.n + of->figures.n;
    }
    set.moves = ipr_arena_alloc(mem, room + 1, sizeof *set.moves);
    set.sums = ipr_arena_alloc(mem, set.n_games + 1, sizeof *set.sums);
    for (size_t i = 0; i < set.n_games; i++) {
        const size_t first = set.n;
        bool moves = false;

        for (size_t k = 0; k < from->n_by; k++) {
            const struct ipr_db_game_evidence *const of = &from->by[k].of[i];

            evidence_game(&from->by[k], mem, &from->confirmed[i], &set, i, mover);
            moves = moves || of->judged.n > 0;
            for (unsigned colour = 0; colour < 2; colour++)
                if (of->sums[colour].version != 0)
                    set.sums[i][colour] = of->sums[colour];
        }
        set.without_moves += !moves;
        const enum ipr_code rc =
            evidence_clocks(&set.games[i], mem, &set.moves[first], set.n - first, err);
        if (rc != IPR_OK)
            return rc;
    }
    evidence_people(&set, from, mover, mem);
    *out = set;
    return IPR_OK;
}

enum ipr_code ipr_evidence_load(const struct ipr_view_context *c, const int64_t *ids, size_t n_ids,
                                int32_t mover, struct ipr_evidence_set *out, struct ipr_err *err)
{
    struct ipr_arena *const mem = c->v->mem;
    struct ipr_db_evidence_game *games = NULL;
    struct ipr_judged_game *confirmed = NULL;
    struct ipr_evidence_judge *by = NULL;
    size_t n = 0, n_by = 0;

    enum ipr_code rc = ipr_db_evidence_games(c->v->db, ids, n_ids, mem, &games, &n, err);
    if (rc == IPR_OK)
        rc = evidence_judges(c, games, n, &by, &n_by, err);
    if (rc == IPR_OK)
        rc = evidence_confirmed(c, games, n, &confirmed, err);
    return rc != IPR_OK
               ? rc
               : ipr_evidence_make(&(struct ipr_evidence_source){ games, n, by, n_by, confirmed },
                                   mover, mem, out, err);
}

/* ---- a move's part, and the rating without it ---- */

double ipr_evidence_part(const struct ipr_evidence_set *set, const struct ipr_evidence_move *m)
{
    return m->strength.counts
               ? ipr_strength_part_of_stored(&ipr_evidence_person_of(set, m)->parts,
                                             m->strength.score, m->strength.information)
               : NAN;
}

void ipr_evidence_subtract(struct ipr_evidence_person *who, const struct ipr_evidence_move *m)
{
    who->score -= m->strength.score;
    who->information -= m->strength.information;
    who->moves -= m->strength.counts;
    if (m->engine != NULL)
        ipr_strength_mix_add(&who->mix, m->engine, -(double)m->strength.information);
}

double ipr_evidence_rating(const struct ipr_evidence_person *who)
{
    const struct ipr_scale *const scale = &ipr_pool_of(who->classes)->moves;

    return who->information > 0
               ? ipr_strength_of_stored(scale, &who->mix, who->score, who->information).mean
               : NAN;
}

void ipr_evidence_effects(const struct ipr_evidence_set *set, struct ipr_evidence_move **at,
                          size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct ipr_evidence_person *const who = ipr_evidence_person_of(set, at[i]);
        struct ipr_evidence_person rest = *who;

        ipr_evidence_subtract(&rest, at[i]);
        if (at[i]->strength.counts)
            at[i]->effect = ipr_evidence_rating(who) - ipr_evidence_rating(&rest);
    }
}
