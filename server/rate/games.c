#include "rate/games.h"

#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "core/file_evals.h"
#include "core/human_model.h"
#include "core/name_similarity.h"
#include "core/pools.h"
#include "core/setting.h"
#include "db/strength.h"
#include "ingest/row.h"

#define SHORT_PLIES                                                                                \
    20 /* below this many half-moves two games may have the same moves by chance                   \
        */

int ipr_rate_compare_players(const struct ipr_identity *a, const struct ipr_identity *b)
{
    if (a->fide_id != b->fide_id)
        return a->fide_id < b->fide_id ? -1 : 1;
    return a->fide_id > 0 ? 0 : strcmp(a->key, b->key);
}

static int compare_tags(const struct ipr_db_new_game *a, const struct ipr_db_new_game *b)
{
    int c = strcmp(a->event, b->event);

    if (c == 0)
        c = strcmp(a->date, b->date);
    return c != 0 ? c : strcmp(a->round, b->round);
}

static int compare_games(const void *first, const void *second)
{
    const struct ipr_db_new_game *a = &((const struct ipr_rate_game *)first)->row;
    const struct ipr_db_new_game *b = &((const struct ipr_rate_game *)second)->row;

    if (a->moves_key != b->moves_key)
        return a->moves_key < b->moves_key ? -1 : 1;
    int c = ipr_rate_compare_players(&a->white, &b->white);
    if (c == 0)
        c = ipr_rate_compare_players(&a->black, &b->black);
    if (c == 0) /* the same moves in another year are another game, as for an import */
        c = (a->year > b->year) - (a->year < b->year);
    return c == 0 && a->n_moves < SHORT_PLIES ? compare_tags(a, b) : c;
}

static void game_free(struct ipr_rate_game *g)
{
    ipr_arena_release(&g->mem);
    ipr_arena_release(&g->judged_mem);
    free(g);
}

static void keep_game(void *node)
{
    (void)node; /* the games are in the list, too */
}

const struct ipr_pool *ipr_rate_pool(const struct ipr_rate_game *g)
{
    return ipr_pool_of(IPR_TIME_BIT(g->row.time_class));
}

const struct ipr_scale *ipr_rate_scale(const struct ipr_rate_game *g)
{
    const struct ipr_pool *const pool = ipr_rate_pool(g);

    if (g->source == IPR_RATE_HUMANS)
        return &pool->humans;
    return g->source == IPR_RATE_FILE ? &pool->files : &pool->moves;
}

void ipr_rate_games_free(struct ipr_rate_games *g)
{
    tdestroy(g->known, keep_game);
    tdestroy(g->ids, keep_game);
    for (size_t i = 0; i < g->n; i++)
        game_free(g->at[i]);
    free(g->at);
    ipr_arena_release(&g->mem);
    if (g->human != NULL)
        ipr_human_free(g->human);
    free(g->human);
    *g = (struct ipr_rate_games){ 0 };
}

enum ipr_code ipr_rate_games_networks(struct ipr_rate_games *g, const char *folder,
                                      struct ipr_err *err)
{
    struct ipr_human human;

    if (folder[0] == '\0' || g->evals != IPR_RATE_EVALS_OF_ALL)
        return IPR_OK;
    const enum ipr_code rc = ipr_human_model_read(folder, &human, err);
    if (rc == IPR_OK) {
        g->human = ipr_xcalloc(1, sizeof *g->human);
        *g->human = human;
    }
    return rc;
}

static struct ipr_str game_copy_text(struct ipr_arena *mem, struct ipr_str s)
{
    return (struct ipr_str){ ipr_arena_strndup(mem, s.p, s.n), s.n };
}

static const struct ipr_pgn_note *copy_notes(const struct ipr_interchange_game *from,
                                             struct ipr_arena *mem)
{
    struct ipr_pgn_note *notes = ipr_arena_alloc(mem, from->n_notes + 1, sizeof *notes);

    for (size_t i = 0; i < from->n_notes; i++) {
        notes[i] = from->notes[i];
        notes[i].text = game_copy_text(mem, notes[i].text);
    }
    return notes;
}

unsigned ipr_rate_game_sides(const struct ipr_interchange_game *game)
{
    const struct ipr_judge judge = ipr_setting_rating();
    const size_t first = ipr_judge_first_ply(&judge);
    if (game->moves == NULL || game->n_moves <= first)
        return 0;
    return game->n_moves > first + 1 ? 3u : 1u << ((game->start.turn + first) & 1u);
}

bool ipr_rate_is_of(const struct ipr_rate_games *games, const struct ipr_judge *judge)
{
    if (games->calibrated)
        return ipr_judge_strength_engine(judge) != NULL;
    return games->found.engine[0] != '\0' ? ipr_judge_same(judge, &games->found)
                                          : ipr_judge_same_search(judge, &games->judge);
}

bool ipr_rate_game_for_engine(const struct ipr_rate_game *g)
{
    return g->source == IPR_RATE_ENGINE && ipr_rate_game_sides(g->text) != 0;
}

/* Moves and losses as conformance counts them (db/contribution.h). */
static void side_count(struct ipr_rate_game *g, unsigned colour, const struct ipr_turn_figures *f)
{
    const int32_t counted = g->side[colour].counted;

    ipr_contribution_count(&g->side[colour], f);
    if (g->side[colour].counted > counted)
        g->loss_cp[colour] += f->best_cp - f->played_cp;
}

/* ---- without an engine ---- */

static void move_text(const char **text, struct ipr_arena *to)
{
    *text = ipr_arena_strndup(to, *text, strlen(*text));
}

static void move_identity(struct ipr_identity *of, struct ipr_arena *to)
{
    move_text(&of->name, to);
    move_text(&of->key, to);
    move_text(&of->tagged, to);
    move_text(&of->tagged_name, to);
}

/* No engine analyses a game that is rated by its file: a file of a million of them is held as what
 * their rows say, unless the games are printed, too. */
static void game_reduce(struct ipr_rate_games *games, struct ipr_rate_game *g)
{
    struct ipr_db_new_game *const row = &g->row;
    struct ipr_arena *const to = &games->mem;

    if (games->keep_texts)
        return;
    move_identity(&row->white, to);
    move_identity(&row->black, to);
    move_text(&row->event, to);
    move_text(&row->date, to);
    move_text(&row->round, to);
    row->site = row->start_fen = row->tags_json = NULL;
    row->moves = NULL;
    row->notes = (struct ipr_str){ NULL, 0 };
    g->text = NULL;
    ipr_arena_release(&g->mem);
}

static void take_sums(struct ipr_rate_game *g, enum ipr_rate_source source,
                      const struct ipr_side_sums sums[2])
{
    for (unsigned c = 0; c < 2; c++) {
        g->side[c].strength_score = sums[c].score;
        g->side[c].strength_information = sums[c].information;
        g->side[c].strength_moves = sums[c].moves;
    }
    g->source = source;
}

/* Takes the evaluations in the file for a game that no engine has analysed. */
static void take_evals(struct ipr_rate_games *games, struct ipr_rate_game *g,
                       const struct ipr_interchange_game *from)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_file_evals e;

    ipr_file_evals_read(&from->start, from->moves, from->n_moves, from->notes, from->n_notes, &mem,
                        &e);
    if (ipr_file_evals_suffice(&e)) {
        struct ipr_side_sums sums[2];

        ipr_file_evals_sums(&e, ipr_rate_pool(g), &from->start, from->moves, from->n_moves, sums);
        for (size_t i = 0; i < e.n; i++) {
            const struct ipr_turn_figures f = ipr_file_evals_figures(&e.moves[i]);

            side_count(g, (g->text->start.turn + f.ply) & 1u, &f);
        }
        take_sums(g, IPR_RATE_FILE, sums);
        g->summed = true;
    } else if (e.view == IPR_EVALS_MOVERS || e.view == IPR_EVALS_UNDECIDED) {
        games->unclear++;
    }
    ipr_arena_release(&mem);
}

/* A game that does not begin at the initial position has no moves that count. */
static void take_humans(const struct ipr_rate_games *games, struct ipr_rate_game *g)
{
    struct ipr_side_sums sums[2];

    ipr_human_model_sums(games->human, ipr_rate_pool(g)->humans.fit, &g->text->start,
                         g->text->moves, g->text->n_moves, sums);
    take_sums(g, IPR_RATE_HUMANS, sums);
}

static void leave_evals(struct ipr_rate_game *g)
{
    memset(g->side, 0, sizeof g->side);
    memset(g->loss_cp, 0, sizeof g->loss_cp);
    g->source = IPR_RATE_ENGINE;
    g->summed = false;
}

static void leave_out(struct ipr_rate_games *games, struct ipr_rate_game *g,
                      enum ipr_rate_reason why)
{
    games->left_out.reason[why]++;
    game_free(g);
}

static struct ipr_identity *rated_side(const struct ipr_rate_games *games, size_t i)
{
    struct ipr_db_new_game *const row = &games->at[i / 2]->row;

    return i % 2 == 0 ? &row->white : &row->black;
}

static enum ipr_code join_accounts(struct ipr_rate_games *games, struct ipr_err *err)
{
    const struct ipr_rate_choice *const choice = games->choice;
    struct ipr_identity first = { .name = NULL };

    if (choice->n_players < 2 || games->n == 0)
        return IPR_OK;
    for (size_t k = choice->n_players; k-- > 0;) {
        bool found = false;

        for (size_t i = 0; i < 2 * games->n && !found; i++) {
            first = *rated_side(games, i);
            found = ipr_rate_is_named(choice, k, &first);
        }
        if (!found)
            return ipr_err_set(err, IPR_EDATA, "no player of these games has the name '%s'",
                               choice->player[k]);
    }
    for (size_t i = 0; i < 2 * games->n; i++)
        if (ipr_rate_is_chosen(choice, rated_side(games, i)))
            *rated_side(games, i) = first;
    return IPR_OK;
}

enum ipr_code ipr_rate_games_settle(struct ipr_rate_games *games, struct ipr_err *err)
{
    struct {
        bool engine, file;
    } by[IPR_POOLS] = { { false, false } };

    for (size_t i = 0; i < games->n; i++) {
        const struct ipr_pool *pool = ipr_rate_pool(games->at[i]);
        const bool no_scale = pool->files.fit == NULL && pool->moves.fit != NULL;

        by[pool - ipr_pool_at(0)].file |= games->at[i]->source == IPR_RATE_FILE;
        by[pool - ipr_pool_at(0)].engine |= games->evals == IPR_RATE_EVALS_OF_ALL &&
                                            (no_scale || ipr_rate_game_for_engine(games->at[i]));
    }
    for (size_t i = 0; i < games->n; i++) {
        struct ipr_rate_game *g = games->at[i];
        const struct ipr_pool *pool = ipr_rate_pool(g);

        if (by[pool - ipr_pool_at(0)].engine) {
            games->beside += g->source == IPR_RATE_FILE && pool->files.fit != NULL;
            if (g->source == IPR_RATE_FILE)
                leave_evals(g);
        } else if (by[pool - ipr_pool_at(0)].file) {
            /* Also what is too short to be analysed. */
            g->source = IPR_RATE_FILE;
            g->summed = true;
            games->by_file++;
            if (g->text != NULL)
                game_reduce(games, g);
        }
    }
    return join_accounts(games, err);
}

/* The more a game has, the higher. */
static int game_rank(const struct ipr_rate_game *g)
{
    if (g->source != IPR_RATE_ENGINE)
        return g->source == IPR_RATE_FILE ? 1 : 3;
    return g->text->sides != 0 ? 2 : 0;
}

static struct ipr_rate_game *game_copy(struct ipr_rate_games *games,
                                       const struct ipr_interchange_game *from)
{
    struct ipr_rate_game *g = ipr_xcalloc(1, sizeof *g);

    g->text = ipr_arena_alloc(&g->mem, 1, sizeof *g->text);
    *g->text = *from;
    struct ipr_pgn_tag *tags = ipr_arena_alloc(&g->mem, from->n_tags + 1, sizeof *tags);
    for (size_t i = 0; i < from->n_tags; i++)
        tags[i] = (struct ipr_pgn_tag){ game_copy_text(&g->mem, from->tags[i].name),
                                        game_copy_text(&g->mem, from->tags[i].value) };
    g->text->tags = tags;
    g->server = ipr_game_server(from->tags, from->n_tags);
    if (games->choice->by == IPR_RATE_BY_GAME)
        g->opening = ipr_opening_of(ipr_pgn_tag_find(from->tags, from->n_tags, "ECO"), &from->start,
                                    from->moves, from->moves == NULL ? 0 : from->n_moves);
    const unsigned sides = ipr_rate_game_sides(from);
    if (sides != 0 && from->sides == sides && ipr_rate_is_of(games, &from->judge)) {
        games->found = from->judge;
        g->text->judged = ipr_judged_copy(&from->judged, &g->judged_mem);
    } else {
        g->text->judged = (struct ipr_judged_game){ NULL, 0 };
        g->text->sides = 0;
    }
    g->text->confirmed = ipr_judged_copy(&from->confirmed, &g->mem);
    g->text->n_notes = games->keep_texts ? from->n_notes : 0;
    g->text->notes = games->keep_texts ? copy_notes(from, &g->mem) : NULL;
    return g;
}

struct rate_id {
    int32_t fide_id;
    const char *key;
};

static int compare_ids(const void *a, const void *b)
{
    const struct rate_id *x = a, *y = b;

    return (x->fide_id > y->fide_id) - (x->fide_id < y->fide_id);
}

/* As for an import: an id that the first game with it gives to a name that does not fit. */
static bool rate_set_aside(struct ipr_rate_games *games, struct ipr_identity *who)
{
    struct rate_id *id = ipr_arena_alloc(&games->mem, 1, sizeof *id);

    if (who->fide_id == 0)
        return who->set_aside;
    *id = (struct rate_id){ who->fide_id,
                            ipr_arena_strndup(&games->mem, who->key, strlen(who->key)) };
    const struct rate_id *first = *(struct rate_id **)tsearch(id, &games->ids, compare_ids);
    const bool aside =
        ipr_names_apart(first->key, who->key) && ipr_names_apart(first->key, who->tagged);
    who->fide_id = aside ? 0 : who->fide_id;
    return aside;
}

/* The players were checked when the game was accepted. */
static bool fill_row(struct ipr_rate_game *g, const struct ipr_spelling *spelling)
{
    const struct ipr_interchange_game *text = g->text;
    const struct ipr_row_source src = { .tags = text->tags,
                                        .n_tags = text->n_tags,
                                        .start = &text->start,
                                        .moves = text->moves,
                                        .n_moves = text->n_moves,
                                        .moves_key = text->moves_key,
                                        .result = text->result,
                                        .spelling = spelling };
    const bool made = ipr_row_make(&src, &g->mem, &g->row, NULL) == IPR_OK;

    g->text->moves = g->row.moves;
    return made;
}

void ipr_rate_games_add(void *payload, const char *file, uint64_t number,
                        const struct ipr_interchange_game *game)
{
    struct ipr_rate_games *games = payload;
    struct ipr_rate_game *g = game_copy(games, game);

    g->file = file;
    g->number = number;
    /* Only a spelling file can make one player of both sides here. */
    if (!fill_row(g, games->spelling) ||
        !ipr_rate_game_is_chosen(games->choice, &g->row, game->tags, game->n_tags,
                                 &games->left_out)) {
        game_free(g);
        return;
    }
    games->set_aside += rate_set_aside(games, &g->row.white);
    games->set_aside += rate_set_aside(games, &g->row.black);
    if (games->evals != IPR_RATE_EVALS_NONE && g->text->sides == 0)
        take_evals(games, g, game);
    if (games->human != NULL && ipr_rate_pool(g)->humans.fit != NULL) {
        g->source = IPR_RATE_HUMANS;
        g->summed = false;
    }
    if (games->evals == IPR_RATE_EVALS_ONLY && g->source == IPR_RATE_ENGINE) {
        leave_out(games, g, IPR_RATE_WITHOUT_EVALS);
        return;
    }
    struct ipr_rate_game **found = tsearch(g, &games->known, compare_games), *const old = *found;
    if (old != g) {
        const bool better = game_rank(g) > game_rank(old);

        if (better) {
            g->row.ordinal = old->row.ordinal;
            games->at[g->row.ordinal - 1] = *found = g;
        }
        leave_out(games, better ? old : g, IPR_RATE_REPEATED);
        return;
    }
    if (games->n == games->size) {
        games->size = games->size > 0 ? 2 * games->size : 64;
        games->at = ipr_xrealloc(games->at, games->size, sizeof *games->at);
    }
    games->at[games->n++] = g;
    g->row.ordinal = (int32_t)games->n;
    games->by_humans += g->source == IPR_RATE_HUMANS;
    if (games->evals == IPR_RATE_EVALS_ONLY)
        game_reduce(games, g);
}

void ipr_rate_game_sum(const struct ipr_rate_games *games, struct ipr_rate_game *g)
{
    const struct ipr_db_game game = { .start = g->text->start,
                                      .moves = g->text->moves,
                                      .n_moves = g->text->n_moves };

    if (g->source == IPR_RATE_HUMANS) {
        take_humans(games, g);
        return;
    }
    if (games->calibrated)
        ipr_side_strength(&g->text->judge, &game, &g->text->judged, g->side);
    for (size_t i = 0; i < g->text->judged.n; i++) {
        const struct ipr_judged_turn *t = &g->text->judged.turns[i];
        const struct ipr_turn_figures f = ipr_turn_figures_of(t);

        side_count(g, t->mover & 1u, &f);
        g->side[t->mover & 1u].nodes += (int64_t)t->nodes;
    }
}
