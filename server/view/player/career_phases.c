/* The rating of some phases of the game: sums over their moves, which are read. */
#include "db/evidence.h"
#include "resource/read.h"
#include "view/evidence/evidence.h"
#include "view/player/career.h"

struct phase_sums {
    struct ipr_db_strength all;
    struct ipr_db_year_strength *years; /* [n] */
    size_t n, room;
};

static int by_year(const void *a, const void *b)
{
    const struct ipr_db_year_strength *x = a, *y = b;

    return x->year - y->year;
}

static struct ipr_db_year_strength *phase_year(struct phase_sums *s, int year, int32_t judge_id)
{
    size_t i = 0;

    while (i < s->n && s->years[i].year != year)
        i++;
    if (i == s->n)
        s->years[s->n++] = (struct ipr_db_year_strength){ .year = year, .judge_id = judge_id };
    return &s->years[i];
}

/* `fresh`: the first of its game. */
static void phase_add(struct phase_sums *s, const struct ipr_evidence_move *move,
                      const struct ipr_db_evidence_game *g, bool fresh)
{
    const struct ipr_move_strength *const m = &move->strength;

    ipr_strength_mix_add(&s->all.mix, move->engine, (double)m->information);
    s->all.score += m->score;
    s->all.information += m->information;
    s->all.moves++;
    s->all.games += fresh;
    s->all.classes |= IPR_TIME_BIT(g->time_class);
    if (g->year <= 0)
        return;
    struct ipr_db_year_strength *const of = phase_year(s, g->year, s->all.judge_id);

    ipr_strength_mix_add(&of->mix, move->engine, (double)m->information);
    of->score += m->score;
    of->information += m->information;
    of->moves++;
    of->games += fresh;
    of->classes |= IPR_TIME_BIT(g->time_class);
}

static void phases_sum(const struct ipr_evidence_set *set, unsigned phases, struct phase_sums *s)
{
    size_t last = SIZE_MAX;

    for (size_t i = 0; i < set->n; i++) {
        const struct ipr_evidence_move *const m = &set->moves[i];

        if (!m->strength.counts || (phases & 1u << m->cost.phase) == 0)
            continue;
        phase_add(s, m, &set->games[m->game], last != m->game);
        last = m->game;
    }
    qsort(s->years, s->n, sizeof *s->years, by_year);
}

/* In memory of its own: the moves of thousands of games are needed no longer. */
static enum ipr_code phases_read(const struct ipr_view_context *rating, const int64_t *ids,
                                 size_t n, int32_t root, unsigned phases, struct phase_sums *s,
                                 size_t *without_moves, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_view view = *rating->v;
    struct ipr_view_context c = *rating;
    struct ipr_evidence_set set = { 0 };

    view.mem = &mem;
    c.v = &view;
    const enum ipr_code rc = ipr_evidence_load(&c, ids, n, root, &set, err);
    if (rc == IPR_OK) {
        phases_sum(&set, phases, s);
        *without_moves = set.without_moves;
    }
    ipr_arena_release(&mem);
    return rc;
}

enum ipr_code ipr_career_phases(const struct ipr_view_context *c, const struct ipr_db_scope *scope,
                                unsigned phases, struct ipr_db_strength *sums,
                                struct ipr_db_year_strength **years, size_t *n, size_t *games,
                                size_t *without_moves, struct ipr_err *err)
{
    struct ipr_view_context rating;
    struct phase_sums s = { 0 };
    int64_t *ids = NULL;
    enum ipr_code rc = ipr_db_strength_games_of_scope(c->v->db, scope, IPR_CAREER_PHASE_GAMES + 1,
                                                      c->v->mem, &ids, games, err);

    if (rc == IPR_OK && *games > IPR_CAREER_PHASE_GAMES)
        return ipr_param_refuse(err, "phase", "a career",
                                "a set of at most %d analysed games, since their moves are read; a "
                                "span of years has fewer",
                                IPR_CAREER_PHASE_GAMES);
    if (rc == IPR_OK)
        rc = ipr_setting_for(c->v, IPR_FOR_RATING, NULL, &rating, err);
    if (rc != IPR_OK)
        return rc;
    s.all.judge_id = rating.judge_id;
    s.years = ipr_arena_alloc(c->v->mem, *games + 1, sizeof *s.years);
    if (*games > 0)
        rc = phases_read(&rating, ids, *games, (int32_t)scope->person, phases, &s, without_moves,
                         err);
    ipr_view_context_close(&rating);
    *sums = s.all;
    *years = s.years;
    *n = s.n;
    return rc;
}
