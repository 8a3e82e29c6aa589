/*
 * Whether the games stored are plainly not all of an event, so that places say nothing.
 *
 * In a whole event nearly everybody plays in each round, so that few players are never in every
 * game. Collections of a player's games, or of several players' games, have this shape: K players,
 * one of whom is in every game, and others who never meet each other. What events of n players
 * have:
 *
 * - A round robin needs K = n - 1. A Swiss or a team event has pairs of (nearly) all players in
 * each round, and one of each pair is among the K: K >= n/2, less by those without an opponent in
 * any such round. In a knockout the winners of the first round are n/2, and each of the others
 * loses once, to one of these. Of a match of two teams one team is in every game: K = n/2, and its
 *   players never meet. In a simul K = 1: whose games they are is said instead ("only_player").
 *
 * So the games are those of K players of a larger field
 *
 * - if 3 K < n: a third has room for byes, reserves and withdrawals,
 * - or if K <= n/2, the others have met at least 4 in 5 of the K players (in a knockout one each),
 *   and, where K = n/2, some of the K have met (those of a team have not). The others are at least
 *   three, as two whose game is missing may not have played it; two are enough where all pairs that
 *   met have played equally many games, more than one.
 *
 * Besides, rounds in the tags are counted: of two to four players more than a tenth of them without
 * a game, of more players at least half. And of two to four players less than half of the pairs
 * met, or two have played one game. Lists have the same of all events (sql/migrations,
 * event_is_part).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "sentence/sentence.h"
#include "view/event/field.h"

#define PART_NAMED  3  /* players of the sentence; of more their number is said */
#define PART_SMALL  4  /* players of a match or a small tournament */
#define PART_ROUNDS 10 /* one in so many may be a forfeit that is not stored */

/* A player of the graph of who met whom: players are numbered by ascending id. */
struct part_player {
    const struct ipr_event_entry *of;
    size_t *met, *games; /* [n] opponents, and games with each */
    size_t n, left;      /* left: whose games are not yet covered */
    bool in;             /* one of the K */
};

struct part_graph {
    struct part_player *all;
    size_t n;       /* all of them */
    size_t playing; /* with an opponent */
    size_t k;       /* one of whom is in every game */
};

/* ---- who met whom ---- */

static int part_by_id(const void *a, const void *b)
{
    const struct part_player *x = a, *y = b;

    return (x->of->player.id > y->of->player.id) - (x->of->player.id < y->of->player.id);
}

static const struct part_player *part_find(const struct part_graph *g, int32_t id)
{
    const struct ipr_event_entry entry = { .player.id = id };
    const struct part_player key = { .of = &entry };

    return g->n > 0 ? bsearch(&key, g->all, g->n, sizeof *g->all, part_by_id) : NULL;
}

static int part_by_number(const void *a, const void *b)
{
    const size_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static void part_meet(const struct part_graph *g, struct part_player *p, struct ipr_arena *mem)
{
    const struct ipr_db_tournament_player *const of = &p->of->player;
    size_t *all = ipr_arena_alloc(mem, 2 * of->n_sides + 1, sizeof *all), n = 0;

    p->met = all;
    p->games = all + of->n_sides;
    for (size_t i = 0; i < of->n_sides; i++) {
        const struct part_player *const other = part_find(g, of->sides[i].opponent);

        if (other != NULL && other != p)
            all[n++] = (size_t)(other - g->all);
    }
    if (n > 1)
        qsort(all, n, sizeof *all, part_by_number);
    for (size_t i = 0; i < n; i++) {
        if (p->n == 0 || p->met[p->n - 1] != all[i]) {
            p->games[p->n] = 0;
            p->met[p->n++] = all[i];
        }
        p->games[p->n - 1]++;
    }
    p->left = p->n;
}

static struct part_graph part_graph_of(const struct ipr_event_field *f, struct ipr_arena *mem)
{
    struct part_graph g = { .all = ipr_arena_alloc(mem, f->n + 1, sizeof *g.all), .n = f->n };

    for (size_t i = 0; i < f->n; i++)
        g.all[i].of = &f->all[i];
    if (g.n > 1)
        qsort(g.all, g.n, sizeof *g.all, part_by_id);
    for (size_t i = 0; i < g.n; i++) {
        part_meet(&g, &g.all[i], mem);
        g.playing += g.all[i].n > 0;
    }
    return g;
}

/* ---- who is in every game ---- */

/* The player with most opponents that are not yet covered; of several the one who met most. NULL:
 * every game is covered. */
static struct part_player *part_next(const struct part_graph *g)
{
    struct part_player *best = NULL;

    for (size_t i = 0; i < g->n; i++) {
        struct part_player *const p = &g->all[i];

        if (p->left > 0 &&
            (best == NULL || p->left > best->left || (p->left == best->left && p->n > best->n)))
            best = p;
    }
    return best;
}

static size_t part_met_in(const struct part_graph *g, const struct part_player *p)
{
    size_t n = 0;

    for (size_t i = 0; i < p->n; i++)
        n += g->all[p->met[i]].in;
    return n;
}

/* True if half of the players at most are in every game. They are found one after the other, and
 * those who turn out not to be needed are left out again. */
static bool part_cover(struct part_graph *g)
{
    struct part_player *p;

    while ((p = part_next(g)) != NULL) {
        if (2 * (g->k + 1) > g->playing + 2) /* one that is not needed may be among them */
            return false;
        for (size_t i = 0; i < p->n; i++)
            g->all[p->met[i]].left -= !g->all[p->met[i]].in;
        p->left = 0;
        p->in = true;
        g->k++;
    }
    for (size_t i = 0; i < g->n; i++)
        if (g->all[i].in && part_met_in(g, &g->all[i]) == g->all[i].n) {
            g->all[i].in = false;
            g->k--;
        }
    return 2 * g->k <= g->playing;
}

/* True if all pairs that met have played equally many games, more than one. */
static bool part_is_even(const struct part_graph *g)
{
    size_t games = 0;

    for (size_t i = 0; i < g->n; i++)
        for (size_t k = 0; k < g->all[i].n; k++) {
            if (games > 0 && g->all[i].games[k] != games)
                return false;
            games = g->all[i].games[k];
        }
    return games > 1;
}

static bool part_is_of_few(struct part_graph *g)
{
    size_t between = 0, inside = 0;

    if (g->playing <= 3 || !part_cover(g) || g->k < 2)
        return false;
    if (3 * g->k < g->playing)
        return true;
    for (size_t i = 0; i < g->n; i++) {
        between += g->all[i].in ? 0 : g->all[i].n;
        inside += g->all[i].in ? part_met_in(g, &g->all[i]) : 0;
    }
    return 5 * between >= 4 * g->k * (g->playing - g->k) && (2 * g->k < g->playing || inside > 0) &&
           (g->playing - g->k > 2 || part_is_even(g));
}

/* ---- in words ---- */

/* "only games of Carlsen and Ding are stored". By points. */
static const char *part_players(const struct ipr_event_field *f, struct ipr_event_part *out,
                                struct part_graph *g, struct ipr_arena *mem)
{
    out->of = ipr_arena_alloc(mem, g->k + 1, sizeof(struct ipr_event_entry *));
    for (size_t i = 0; i < f->n; i++)
        if (part_find(g, f->all[i].player.id)->in)
            out->of[out->n++] = &f->all[i];
    const char **const names = ipr_arena_alloc(mem, out->n + 1, sizeof *names);

    for (size_t i = 0; i < out->n; i++)
        names[i] = ipr_event_name(f, out->of[i], mem);
    return ipr_say_event_incomplete(
        out->n > PART_NAMED ? IPR_EVENT_INCOMPLETE_MANY : IPR_EVENT_INCOMPLETE_NAMED,
        &(struct ipr_event_incomplete_slots){ .names = { names, out->n }, .n = (double)out->n },
        mem);
}

static size_t part_pairs(const struct part_graph *g)
{
    size_t met = 0;

    for (size_t i = 0; i < g->n; i++)
        met += g->all[i].n;
    return met / 2;
}

/* A knockout numbers the games of one match within its round: one number has no gaps. */
static const char *part_rounds(const struct ipr_event_field *f, struct ipr_arena *mem)
{
    const int last = f->n_rounds > 1 && f->tagged ? f->rounds[f->n_rounds - 1] : 0;
    const size_t missing = last > 0 ? (size_t)last - f->n_rounds : 0;

    const bool many = f->n <= PART_SMALL ? PART_ROUNDS * missing > (size_t)last
                                         : last > 0 && 2 * missing >= (size_t)last;

    if (!many)
        return NULL;
    return ipr_say_event_incomplete(
        missing == 1 ? IPR_EVENT_INCOMPLETE_ROUND : IPR_EVENT_INCOMPLETE_ROUNDS,
        &(struct ipr_event_incomplete_slots){ .n = (double)missing, .of = last }, mem);
}

struct ipr_event_part ipr_event_part_of(const struct ipr_event_field *f, struct ipr_arena *mem)
{
    struct ipr_event_part out = { NULL };
    const size_t pairs = f->n * (f->n - 1) / 2;

    if (f->n < 2 || f->only != NULL)
        return out;
    struct part_graph g = part_graph_of(f, mem);
    if (part_is_of_few(&g))
        out.why = part_players(f, &out, &g, mem);
    if (out.why == NULL)
        out.why = part_rounds(f, mem);
    if (out.why == NULL && f->n == 2 && f->all[0].player.n_sides == 1)
        out.why = ipr_say_event_incomplete(IPR_EVENT_INCOMPLETE_GAME,
                                           &(struct ipr_event_incomplete_slots){ .n = 1 }, mem);
    if (out.why == NULL && f->n <= PART_SMALL && 2 * part_pairs(&g) < pairs)
        out.why = ipr_say_event_incomplete(IPR_EVENT_INCOMPLETE_PAIRS,
                                           &(struct ipr_event_incomplete_slots){
                                               .n = (double)part_pairs(&g), .of = (double)pairs },
                                           mem);
    return out;
}

void ipr_event_stored(const struct ipr_view_context *c, const struct ipr_db_tournament_games *t,
                      const struct ipr_event_field *f, struct ipr_answer_event_stored *out)
{
    struct ipr_figure_named *const names = ipr_arena_alloc(c->v->mem, f->n + 1, sizeof *names);
    struct ipr_event_part part = { NULL };
    bool all = true; /* every game is of a class of time control that counts */

    if (f->only != NULL) {
        *names = ipr_named(f->only->player.id, f->only->player.name);
        out->only_player = names;
    }
    for (int k = 0; k < IPR_TIME_CLASSES; k++)
        all = all && (t->in_class[k] == 0 || (c->times & IPR_TIME_BIT(k)) != 0);
    if (all)
        part = ipr_event_part_of(f, c->v->mem);
    out->incomplete = part.why;
    for (size_t i = 0; i < part.n; i++)
        names[i] = ipr_named(part.of[i]->player.id, part.of[i]->player.name);
    if (part.n > 0)
        out->only_players = (struct ipr_list_named){ names, part.n };
}
