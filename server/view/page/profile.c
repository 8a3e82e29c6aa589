/* Where a player's games lose points: words, bars and small graphs. */
#include "view/page/page.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chess/san.h"
#include "core/champions.h"
#include "core/pools.h"
#include "view/wording.h"

#define NARROW 200.0 /* half of an interval from which on it is shown instead of the estimate */

/* ---- parts ---- */

static const char *per_hundred(double lost, struct ipr_arena *mem)
{
    return isnan(lost) ? NULL : ipr_arena_printf(mem, "%.1f", 100 * lost);
}

static void profile_parts(struct ipr_answer_profile *p, struct ipr_arena *mem)
{
    double most = 0;

    for (size_t i = 0; i < p->parts.n; i++)
        most = fmax(most, fmax(p->parts.at[i].lost, p->parts.at[i].usual));
    most *= 1.02; /* so that a line at the end is inside */
    for (size_t i = 0; i < p->parts.n && most > 0; i++) {
        struct ipr_answer_profile_part *const part = &p->parts.at[i];

        part->shown = per_hundred(part->lost, mem);
        part->shown_usual = per_hundred(part->usual, mem);
        part->shown_stronger = per_hundred(part->stronger, mem);
        part->width = ipr_arena_printf(mem, "%.1f%%", 100 * part->lost / most);
        if (!isnan(part->usual))
            part->tick = ipr_arena_printf(mem, "%.1f%%", 100 * part->usual / most);
    }
}

/* ---- games ---- */

static const char *game_curve(const struct ipr_answer_profile_game *g, struct ipr_arena *mem)
{
    const double step = g->expected.n > 1 ? 100.0 / (double)(g->expected.n - 1) : 0;
    struct ipr_buf path = IPR_BUF_INIT;

    for (size_t i = 0; i < g->expected.n; i++)
        ipr_buf_printf(&path, "%s%.1f %.1f", i == 0 ? "M" : "L", step * (double)i,
                       100 * (1 - g->expected.at[i]));
    const char *const text = ipr_arena_printf(mem, "%s", path.p);
    ipr_buf_release(&path);
    return text;
}

static int name_order(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names in their order, each once; *n: how many. */
static const char **opponents_sorted(const struct ipr_answer_profile *p, size_t *n,
                                     struct ipr_arena *mem)
{
    const char **const names = ipr_arena_alloc(mem, p->list.n + 1, sizeof *names);

    for (size_t i = 0; i < p->list.n; i++)
        names[i] = p->list.at[i].opponent.name;
    qsort(names, p->list.n, sizeof *names, name_order);
    *n = 0;
    for (size_t i = 0; i < p->list.n; i++)
        if (i == 0 || strcmp(names[i], names[*n - 1]) != 0)
            names[(*n)++] = names[i];
    return names;
}

static void profile_games(struct ipr_answer_profile *p, struct ipr_arena *mem)
{
    size_t n;
    const char **const names = opponents_sorted(p, &n, mem);

    for (size_t i = 0; i < p->list.n; i++) {
        struct ipr_answer_profile_game *const g = &p->list.at[i];
        const char **const at = bsearch(&g->opponent.name, names, n, sizeof *names, name_order);
        const bool shared =
            (at > names && ipr_wording_same_surname(*at, at[-1])) ||
            (at + 1 < names + n && ipr_wording_same_surname(*at, at[1])); /* they are neighbours */

        g->against = ipr_wording_surname(g->opponent.name, shared, mem);
        g->day = g->date != NULL && strchr(g->date, '?') != NULL ? ipr_wording_month(g->date, mem)
                                                                 : g->date;
        g->curve = game_curve(g, mem);
        if (g->points == .5)
            g->result = "½";
        else if (!isnan(g->points))
            g->result = g->points > .5 ? "1" : "0";
        if (g->worst != NULL)
            g->worst->after = g->worst->ply + 1;
        if (g->worst != NULL && g->worst->san != NULL)
            g->worst->label = ipr_arena_printf(
                mem, "%" PRId64 "%s%s%s", g->worst->number, *g->color == 'w' ? ". " : "…",
                g->worst->san, g->worst->mark != NULL ? ipr_page_glyph(g->worst->mark) : "");
    }
}

/* ---- the head ---- */

/* "October 2026", "October to November 2026", "May 2019 to June 2021"; NULL: no date is known. */
static const char *dates_span(const char *from, const char *to, struct ipr_arena *mem)
{
    const char *const first = ipr_wording_month(from, mem);
    const char *const last = ipr_wording_month(to, mem);

    if (first == NULL || last == NULL || strcmp(first, last) == 0)
        return last != NULL ? last : first;
    const char *const year = strrchr(first, ' '), *const end = strrchr(last, ' ');

    if (year != NULL && end != NULL && strcmp(year, end) == 0)
        return ipr_arena_printf(mem, "%.*s to %s", (int)(year - first), first, last);
    return ipr_arena_printf(mem, "%s to %s", first, last);
}

/* "29…Bd6 30. Kf1 Kg7", and "e7d6 PIECES|…" for the board. */
static void position_put_line(struct ipr_answer_profile_position *p, struct ipr_arena *mem)
{
    struct ipr_buf text = IPR_BUF_INIT, steps = IPR_BUF_INIT;
    const bool black = *p->mover == 'b';

    for (size_t i = 0; i < p->line.n; i++) {
        const struct ipr_answer_profile_step *const step = &p->line.at[i];
        const int64_t number = p->number + (int64_t)(i + black) / 2;

        if ((i + black) % 2 == 0)
            ipr_buf_printf(&text, "%s%" PRId64 ". ", i > 0 ? " " : "", number);
        else
            ipr_buf_puts(&text, i > 0 ? " " : "");
        if (i == 0 && black)
            ipr_buf_printf(&text, "%" PRId64 "…", number);
        ipr_buf_puts(&text, step->move.san);
        ipr_buf_printf(&steps, "%s%s %s", i > 0 ? "|" : "", step->move.uci, step->fen);
    }
    if (p->line.n > 0) {
        p->expected = ipr_arena_printf(mem, "%s", ipr_buf_c(&text));
        p->steps = ipr_arena_printf(mem, "%s", ipr_buf_c(&steps));
    }
    ipr_buf_release(&text);
    ipr_buf_release(&steps);
}

/* "e2e4 e4|g1f3 Nf3|…" */
static const char *position_legal(const char *fen, struct ipr_arena *mem)
{
    char uci[IPR_UCI_MAX], san[IPR_SAN_MAX];
    ipr_move moves[IPR_MAX_MOVES];
    const char *text = "";
    struct ipr_pos pos;

    if (ipr_pos_from_fen(&pos, ipr_str_c(fen), NULL) != IPR_OK)
        return text;
    const size_t n = ipr_pos_legal(&pos, moves);
    for (size_t i = 0; i < n; i++) {
        ipr_move_to_uci(&pos, moves[i], uci);
        ipr_san_write(&pos, moves[i], san);
        text = ipr_arena_printf(mem, "%s%s%s %s", text, i > 0 ? "|" : "", uci, san);
    }
    return text;
}

static void positions_put(struct ipr_list_profile_position *positions, struct ipr_arena *mem)
{
    for (size_t i = 0; i < positions->n; i++) {
        struct ipr_answer_profile_position *const p = &positions->at[i];

        p->pieces = ipr_page_pieces(p->fen);
        p->glyph = ipr_page_glyph(p->mark);
        p->legal = position_legal(p->fen, mem);
        position_put_line(p, mem);
    }
}

static struct ipr_plot rating_plot(const struct ipr_figure_rating_short *r, double elo)
{
    json_t *const rating = ipr_shape_json(IPR_SHAPE_RATING_SHORT, r);
    const struct ipr_plot plot = ipr_plot_of_rating(rating, elo);

    json_decref(rating);
    return plot;
}

/* The rating and those of the periods on one axis. */
static void profile_plots(struct ipr_answer_profile *p, struct ipr_page_profile *page,
                          struct ipr_arena *mem)
{
    const struct ipr_plot all = rating_plot(&p->rating, p->server == NULL ? p->elo : NAN);
    double lo = INFINITY, hi = -INFINITY;

    if (!isfinite(p->rating.estimate))
        return;
    ipr_plot_cover(&all, &lo, &hi);
    for (size_t i = 0; i < p->progress.n; i++) {
        const struct ipr_plot one = rating_plot(&p->progress.at[i].rating, NAN);

        ipr_plot_cover(&one, &lo, &hi);
    }
    const struct ipr_axis axis = ipr_axis_elo(lo, hi);
    page->axis = ipr_axis_json(&axis);
    page->plot = ipr_plot_json(&axis, &all);
    for (size_t i = 0; i < p->progress.n; i++) {
        const struct ipr_plot one = rating_plot(&p->progress.at[i].rating, NAN);

        p->progress.at[i].plot = ipr_plot_json(&axis, &one);
        p->progress.at[i].label = dates_span(p->progress.at[i].from, p->progress.at[i].to, mem);
    }
}

/* "Anna, 30 games, October to November 2026 (20 rapid, 10 blitz)": all games, whether analysed or
 * not, where it is known which there are. */
static void profile_title(struct ipr_answer_profile *p, struct ipr_page_profile *page,
                          struct ipr_arena *mem)
{
    const char *from = NULL, *to = NULL, *list = "";
    int64_t games = 0;

    page->games = p->games;
    if (p->pools.n == 0) {
        games = p->games;
        from = p->first_date;
        to = p->last_date;
    }
    for (size_t i = 0; i < p->pools.n; i++) {
        struct ipr_answer_profile_pool *const one = &p->pools.at[i];

        const struct ipr_pool *const pool = ipr_pool_named(one->pool);
        const char *what = pool == ipr_pool_at(0) ? "over the board" : pool->title;

        if (pool->server != NULL) /* "rapid" of "lichess rapid" */
            what += strlen(pool->server) + 1;
        one->label =
            ipr_arena_printf(mem, "%s %s", ipr_wording_count((double)one->games, mem), what);
        one->here = strcmp(one->pool, p->pool) == 0;
        if (one->here)
            page->games = one->games;
        games += one->games;
        if (one->first_date != NULL && (from == NULL || strcmp(one->first_date, from) < 0))
            from = one->first_date;
        if (one->last_date != NULL && (to == NULL || strcmp(one->last_date, to) > 0))
            to = one->last_date;
        list = ipr_arena_printf(mem, "%s%s%s", list, i > 0 ? ", " : "", one->label);
    }
    const char *const span = dates_span(from, to, mem);

    page->title = ipr_arena_printf(mem, "%s, %s", ipr_name_spoken(p->player.name, mem),
                                   ipr_wording_plural((double)games, "game", "games", mem));
    if (span != NULL)
        page->title = ipr_arena_printf(mem, "%s, %s", page->title, span);
    if (p->pools.n > 1)
        page->title = ipr_arena_printf(mem, "%s (%s)", page->title, list);
    page->partly = page->games > p->games;
}

bool ipr_page_profile(void *answer, void *page, struct ipr_arena *mem)
{
    struct ipr_answer_profile *const p = answer;
    struct ipr_page_profile *const out = page;

    positions_put(&p->positions, mem);
    for (size_t i = 0; i < p->advice.n; i++)
        positions_put(&p->advice.at[i].positions, mem);
    profile_parts(p, mem);
    profile_games(p, mem);
    profile_plots(p, out, mem);
    profile_title(p, out, mem);
    out->known = (p->rating.interval.hi - p->rating.interval.lo) / 2 <= NARROW;
    out->above = !isnan(p->stronger);
    out->few = p->moves < 2 * IPR_PROFILE_MOVES;
    return p->player.name != NULL;
}
