/* A player's rating from games to games. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sentence/sentence.h"
#include "stats/interval.h"
#include "view/evidence/profile.h"

#define MONTH_GAMES 10 /* of a period, at least, where each is of months */
#define GAMES       20 /* of another period, at least */
#define PERIODS     12 /* of games, at most */
#define MONTH_TEXT  7  /* "2026.10" */

struct progress_game {
    const struct ipr_db_evidence_game *game;
    struct ipr_db_strength sums;
};

static int by_day(const void *a, const void *b)
{
    const struct progress_game *const x = a, *const y = b;
    const int dates = strcmp(x->game->date, y->game->date);

    return dates != 0 ? dates : (x->game->id > y->game->id) - (x->game->id < y->game->id);
}

static void sums_add(struct ipr_db_strength *to, const struct ipr_db_strength *more)
{
    to->judge_id = 1; /* any: there is one */
    to->score += more->score;
    to->information += more->information;
    to->moves += more->moves;
    to->games += more->moves > 0;
    to->classes |= more->classes;
    ipr_strength_mix_sum(&to->mix, &more->mix, 1);
}

/* The games by date, each with its sums: of its moves, or of the side where these are not known. */
static size_t games_by_date(const struct ipr_evidence_set *set, struct progress_game *out)
{
    size_t n = 0;

    for (size_t i = 0; i < set->n; i++) {
        const struct ipr_evidence_move *const m = &set->moves[i];
        const bool first = i == 0 || m[-1].game != m->game;
        struct ipr_db_strength *const s = &out[n - !first].sums;

        if (first) {
            const struct ipr_side_sums *const side = &set->sums[m->game][m->turn->mover];

            out[n++] = (struct progress_game){ .game = &set->games[m->game],
                                               .sums = { .score = side->score,
                                                         .information = side->information,
                                                         .moves = side->moves,
                                                         .classes = IPR_TIME_BIT(
                                                             set->games[m->game].time_class) } };
        }
        s->score += m->strength.score;
        s->information += m->strength.information;
        s->moves += m->strength.counts;
        if (m->engine != NULL)
            ipr_strength_mix_add(&s->mix, m->engine, (double)m->strength.information);
    }
    qsort(out, n, sizeof *out, by_day);
    return n;
}

static bool are_dated(const struct progress_game *game, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *const date = game[i].game->date;

        if (strlen(date) < MONTH_TEXT || memchr(date, '?', MONTH_TEXT) != NULL)
            return false;
    }
    return true;
}

/* Where the period from game i on ends: with a month, where it has games enough by then, and the
 * rest has; without months after `least` games. A rest of fewer is of the last period. */
static size_t period_end(const struct progress_game *game, size_t n, size_t i, bool months,
                         size_t least)
{
    size_t end = i + 1;

    while (end < n &&
           (end - i < least || n - end < least ||
            (months && strncmp(game[end - 1].game->date, game[end].game->date, MONTH_TEXT) == 0)))
        end++;
    return end;
}

static void change_fill(struct ipr_answer_profile *out, struct ipr_arena *mem)
{
    const struct ipr_figure_rating_short *const a = &out->progress.at[0].rating;
    const struct ipr_figure_rating_short *const b = &out->progress.at[out->progress.n - 1].rating;
    const double by = b->estimate - a->estimate, se = hypot(a->standard_error, b->standard_error);
    enum ipr_profile_change which = IPR_PROFILE_CHANGE_NONE;

    if (isnan(by))
        return;
    if (fabs(by) > IPR_Z95 * se)
        which = by > 0 ? IPR_PROFILE_CHANGE_ROSE : IPR_PROFILE_CHANGE_FELL;
    out->change = ipr_say_profile_change(
        which, &(struct ipr_profile_change_slots){ a->estimate, b->estimate }, mem);
}

void ipr_progress_fill(const struct ipr_profile_source *from, const struct ipr_view_context *c,
                       const struct ipr_scale *scale, struct ipr_answer_profile *out)
{
    struct ipr_arena *const mem = c->v->mem;
    struct progress_game *const game = ipr_arena_alloc(mem, from->set->n_games + 1, sizeof *game);
    const size_t n = games_by_date(from->set, game);
    const bool months = are_dated(game, n) && period_end(game, n, 0, true, MONTH_GAMES) < n;
    size_t least = n / PERIODS > GAMES ? n / PERIODS : GAMES;

    if (months)
        least = MONTH_GAMES;
    if (isnan(out->rating.estimate))
        return;
    if (period_end(game, n, 0, months, least) == n) {
        out->change = ipr_say_profile_change(IPR_PROFILE_CHANGE_FEW,
                                             &(struct ipr_profile_change_slots){ NAN, NAN }, mem);
        return;
    }
    out->progress.at = ipr_shape_list(IPR_SHAPE_PROFILE_PERIOD, n, mem);
    for (size_t i = 0, end; i < n; i = end) {
        struct ipr_answer_profile_period *const period = &out->progress.at[out->progress.n++];
        struct ipr_db_strength sums = { 0 };

        end = period_end(game, n, i, months, least);
        for (size_t k = i; k < end; k++)
            sums_add(&sums, &game[k].sums);
        period->from = game[i].game->date;
        period->to = game[end - 1].game->date;
        period->games = (int64_t)(end - i);
        period->rating = ipr_strength_shorten(ipr_scale_figure(c, scale, &sums));
    }
    change_fill(out, mem);
}
