#include "rate/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chess/san.h"
#include "core/file_evals.h"
#include "core/setting.h"
#include "ingest/row.h"
#include "rate/confirming.h"
#include "view/evidence/profile.h"
#include "view/page/page.h"

#define PLAYER        1 /* ids of people: who the report is of, */
#define OTHERS        2 /* and everybody else */
#define ROUNDS        4 /* of confirmations */
#define SHOWN_LOSS    .01
#define ADDRESS_BYTES 500 /* of an address of a site, at most */

struct report_work {
    const struct ipr_rate_report *r;
    struct ipr_arena mem;
    struct ipr_db_evidence_game *games; /* [r->n] */
    struct ipr_judged_game *confirmed;  /* [r->n] */
    struct ipr_evidence_judge *by;
    struct ipr_db_game_evidence **of; /* what these have: by[i].of, to be filled */
    size_t n_by;
    struct ipr_db_strength sums;
    struct ipr_evidence_set set;
    struct ipr_profile_source source;
};

static const struct ipr_interchange_game *report_text(const struct report_work *w, size_t i)
{
    return w->r->side[i].game->text;
}

/* ---- the games ---- */

static const char *report_tag(const struct ipr_interchange_game *text, const char *name,
                              struct ipr_arena *mem)
{
    const struct ipr_str value = ipr_pgn_tag_find(text->tags, text->n_tags, name);

    return ipr_arena_strndup(mem, value.p, value.n);
}

static struct ipr_str notes_packed(const struct ipr_interchange_game *text, struct ipr_arena *mem)
{
    struct ipr_buf packed = IPR_BUF_INIT;

    ipr_notes_pack(text->notes, text->n_notes, &packed);
    const struct ipr_str out = { ipr_arena_strndup(mem, ipr_buf_c(&packed), packed.n), packed.n };
    ipr_buf_release(&packed);
    return out;
}

static void evidence_row(struct report_work *w, size_t i)
{
    const struct ipr_rate_side *const side = &w->r->side[i];
    const struct ipr_db_new_game *const row = &side->game->row;
    const struct ipr_interchange_game *const text = side->game->text;
    const bool placed = text->moves != NULL;
    ipr_move *const moves = ipr_arena_alloc(&w->mem, text->n_moves + 1, sizeof *moves);
    int32_t person[2] = { OTHERS, OTHERS };

    person[side->colour] = PLAYER;
    if (placed)
        memcpy(moves, text->moves, text->n_moves * sizeof *moves);
    w->games[i] = (struct ipr_db_evidence_game){
        .id = (int64_t)i + 1,
        .white_id = person[IPR_WHITE],
        .black_id = person[IPR_BLACK],
        .white = row->white.name,
        .black = row->black.name,
        .event = row->event,
        .site = report_tag(text, "Site", &w->mem),
        .link = report_tag(text, "Link", &w->mem),
        .date = row->date,
        .round = row->round,
        .eco = report_tag(text, "ECO", &w->mem),
        .white_elo = row->white_elo,
        .black_elo = row->black_elo,
        .year = row->year,
        .result = row->result,
        .start = text->start,
        .moves = moves,
        .n_moves = placed ? text->n_moves : 0,
        .notes = notes_packed(text, &w->mem),
        .time_class = (int)row->time_class,
    };
    w->confirmed[i].turns =
        ipr_arena_alloc(&w->mem, text->n_moves + 1, sizeof(struct ipr_judged_turn));
    memcpy(w->confirmed[i].turns, text->confirmed.turns,
           text->confirmed.n * sizeof(struct ipr_judged_turn));
    w->confirmed[i].n = text->confirmed.n;
}

/* ---- who evaluates them ---- */

static struct ipr_db_game_evidence *report_judge(struct report_work *w,
                                                 const struct ipr_judge *judge)
{
    for (size_t i = 0; i < w->n_by; i++)
        if (ipr_judge_same(w->by[i].judge, judge))
            return w->of[i];
    w->of[w->n_by] = ipr_arena_alloc(&w->mem, w->r->n, sizeof **w->of);
    w->by[w->n_by] = (struct ipr_evidence_judge){
        judge, w->r->games->calibrated ? ipr_judge_strength_engine(judge) : NULL, w->of[w->n_by]
    };
    return w->of[w->n_by++];
}

/* The evaluations in the file, as an import stores them. */
static void report_evals(struct report_work *w, size_t i, struct ipr_db_game_evidence *of)
{
    const struct ipr_interchange_game *const text = report_text(w, i);
    struct ipr_file_evals e;

    ipr_file_evals_read(&text->start, text->moves, text->n_moves, text->notes, text->n_notes,
                        &w->mem, &e);
    if (!ipr_file_evals_suffice(&e))
        return;
    ipr_file_evals_sums(&e, ipr_rate_pool(w->r->side[i].game), &text->start, text->moves,
                        text->n_moves, of->sums);
    of->figures.turns = ipr_arena_alloc(&w->mem, e.n, sizeof *of->figures.turns);
    for (; of->figures.n < e.n; of->figures.n++) {
        const struct ipr_turn_figures f = ipr_file_evals_figures(&e.moves[of->figures.n]);

        of->figures.turns[of->figures.n] = ipr_turn_of_figures(
            &f, (int)((text->start.turn + f.ply) & 1u), IPR_FIGURES_NONE, &w->mem);
    }
}

static void report_judges(struct report_work *w)
{
    struct ipr_judge *const file = ipr_arena_alloc(&w->mem, 1, sizeof *file);

    ipr_file_evals_judge(file);
    w->by = ipr_arena_alloc(&w->mem, w->r->n, sizeof *w->by);
    w->of = ipr_arena_alloc(&w->mem, w->r->n, sizeof *w->of);
    for (size_t i = 0; i < w->r->n; i++) {
        const struct ipr_interchange_game *const text = report_text(w, i);

        if (w->r->side[i].game->source == IPR_RATE_FILE)
            report_evals(w, i, &report_judge(w, file)[i]);
        else if (text->judged.n > 0)
            report_judge(w, &text->judge)[i] =
                (struct ipr_db_game_evidence){ .judged = text->judged, .counts = 3 };
    }
}

/* ---- the set ---- */

static enum ipr_code report_set(struct report_work *w, struct ipr_err *err)
{
    return ipr_evidence_make(
        &(struct ipr_evidence_source){ w->games, w->r->n, w->by, w->n_by, w->confirmed }, PLAYER,
        &w->mem, &w->set, err);
}

static void report_load(struct report_work *w)
{
    const struct ipr_rate_side *const first = &w->r->side[0];
    const bool by_file = first->game->source == IPR_RATE_FILE;

    w->games = ipr_arena_alloc(&w->mem, w->r->n, sizeof *w->games);
    w->confirmed = ipr_arena_alloc(&w->mem, w->r->n, sizeof *w->confirmed);
    for (size_t i = 0; i < w->r->n; i++)
        evidence_row(w, i);
    report_judges(w);
    w->sums = ipr_rate_sums(w->r->side, w->r->n);
    w->source = (struct ipr_profile_source){
        .set = &w->set,
        .player = ipr_named(PLAYER, first->colour == IPR_WHITE ? first->game->row.white.name
                                                               : first->game->row.black.name),
        .pool = ipr_rate_pool(first->game),
        .by_file = by_file,
        .compared = by_file || w->r->games->calibrated,
        .sums = &w->sums,
    };
}

/* Searches what may be shown as positions, and reads the set again with what that says; then others
 * instead of those that turned out to be no errors. */
static enum ipr_code report_confirm(struct report_work *w, struct ipr_err *err)
{
    const struct ipr_rate_confirming c = { .config = w->r->config,
                                           .engine = w->r->engine,
                                           .engines = w->r->engines,
                                           .quiet = w->r->quiet,
                                           .games = w->games,
                                           .confirmed = w->confirmed };
    const struct ipr_evidence_move **moves = NULL;
    enum ipr_code rc = IPR_OK;
    size_t n;

    for (unsigned i = 0; i < ROUNDS && rc == IPR_OK &&
                         (n = ipr_profile_unconfirmed(&w->source, &w->mem, &moves)) > 0;
         i++) {
        rc = ipr_rate_confirm(&c, moves, n, &w->mem, err);
        if (rc == IPR_OK)
            rc = report_set(w, err);
    }
    return rc;
}

/* ---- the moves of a game, folded ---- */

/* The address of a game on its site; NULL: the tags have none. */
static const char *game_address(const struct ipr_interchange_game *text, struct ipr_arena *mem)
{
    static const char *const tags[] = { "Site", "Link" };

    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        const char *const url = report_tag(text, tags[i], mem);

        if ((strncmp(url, "https://", 8) == 0 || strncmp(url, "http://", 7) == 0) &&
            strlen(url) <= ADDRESS_BYTES && strpbrk(url, " \t\r\n") == NULL)
            return url;
    }
    return NULL;
}

static void fold_board(const struct ipr_db_evidence_game *g, unsigned ply,
                       struct ipr_page_fold *fold, struct ipr_arena *mem)
{
    char *const fen = ipr_arena_alloc(mem, IPR_FEN_MAX, 1);
    char uci[IPR_UCI_MAX];
    struct ipr_pos pos = g->start;

    for (unsigned i = 0; i < ply; i++)
        ipr_pos_play(&pos, g->moves[i]);
    ipr_pos_to_fen(&pos, fen);
    ipr_move_to_uci(&pos, g->moves[ply], uci);
    fold->fen = fen;
    fold->pieces = ipr_page_pieces(fen);
    fold->squares = json_array();
    json_array_append_new(fold->squares, ipr_page_square(uci));
    json_array_append_new(fold->squares, ipr_page_square(uci + 2));
}

static void fold_moves(const struct report_work *w, uint32_t game, struct ipr_page_fold *fold,
                       struct ipr_arena *mem)
{
    const struct ipr_db_evidence_game *const g = &w->games[game];
    struct ipr_pos pos = g->start;
    size_t next = 0;

    fold->moves.n = g->n_moves;
    fold->moves.at = ipr_shape_list(IPR_SHAPE_PAGE_FOLD_MOVE, g->n_moves, mem);
    while (next < w->set.n && w->set.moves[next].game < game)
        next++;
    for (unsigned ply = 0; ply < g->n_moves; ply++) {
        const struct ipr_evidence_move *const m = &w->set.moves[next];
        struct ipr_page_fold_move *const to = &fold->moves.at[ply];
        char *const san = ipr_arena_alloc(mem, IPR_SAN_MAX, 1);

        ipr_san_write(&pos, g->moves[ply], san);
        to->san = san;
        if (pos.turn == IPR_WHITE || ply == 0)
            to->number = ipr_arena_printf(mem, pos.turn == IPR_WHITE ? "%d." : "%d…",
                                          (int)ipr_pos_number(&g->start, ply));
        if (next < w->set.n && m->game == game && m->turn->ply == ply) {
            if (m->cost.lost >= SHOWN_LOSS)
                to->lost = m->cost.lost;
            if (m->mark != IPR_MARK_NONE) {
                to->mark = ipr_mark_name(m->mark);
                to->glyph = ipr_page_glyph(to->mark);
            }
            next++;
        }
        ipr_pos_play(&pos, g->moves[ply]);
    }
}

static void report_folds(struct report_work *w, struct ipr_answer_profile *p)
{
    for (size_t i = 0; i < p->list.n; i++) {
        struct ipr_answer_profile_game *const g = &p->list.at[i];
        struct ipr_page_fold *const fold = ipr_shape_new(IPR_SHAPE_PAGE_FOLD, &w->mem);
        const size_t at = (size_t)g->id - 1;

        fold->address = game_address(report_text(w, at), &w->mem);
        if (g->worst != NULL && (size_t)g->worst->ply < w->games[at].n_moves)
            fold_board(&w->games[at], (unsigned)g->worst->ply, fold, &w->mem);
        fold_moves(w, (uint32_t)at, fold, &w->mem);
        g->fold = ipr_shape_page_json(IPR_SHAPE_PAGE_FOLD, fold);
    }
}

static int by_games(const void *a, const void *b)
{
    const struct ipr_answer_profile_pool *const x = a, *const y = b;

    return x->games != y->games ? (x->games < y->games) - (x->games > y->games)
                                : strcmp(x->pool, y->pool);
}

/* All games of the player, by pool. */
static void report_pools(struct report_work *w, struct ipr_answer_profile *p)
{
    const struct ipr_rate_games *const games = w->r->games;
    const struct ipr_identity *const who = ipr_rate_player(&w->r->side[0]);

    p->pools.at = ipr_shape_list(IPR_SHAPE_PROFILE_POOL, games->n, &w->mem);
    for (size_t i = 0; i < games->n; i++) {
        const struct ipr_db_new_game *const row = &games->at[i]->row;
        const char *const date = row->year > 0 ? row->date : NULL;
        const char *const pool = ipr_rate_pool(games->at[i])->name;
        size_t k = 0;

        if ((ipr_rate_compare_players(&row->white, who) == 0) ==
            (ipr_rate_compare_players(&row->black, who) == 0))
            continue;
        while (k < p->pools.n && strcmp(p->pools.at[k].pool, pool) != 0)
            k++;
        struct ipr_answer_profile_pool *const to = &p->pools.at[k];

        if (k == p->pools.n)
            *to = (struct ipr_answer_profile_pool){ .pool = pool, .first_date = date };
        p->pools.n += k == p->pools.n;
        to->games++;
        if (date != NULL && (to->first_date == NULL || strcmp(date, to->first_date) < 0))
            to->first_date = date;
        if (date != NULL && (to->last_date == NULL || strcmp(date, to->last_date) > 0))
            to->last_date = date;
    }
    qsort(p->pools.at, p->pools.n, sizeof *p->pools.at, by_games);
}

/* ---- all of it ---- */

static json_t *report_page(struct report_work *w)
{
    struct ipr_answer_profile *const answer = ipr_shape_new(IPR_SHAPE_PROFILE, &w->mem);
    struct ipr_page_profile *const page = ipr_shape_new(IPR_SHAPE_PAGE_PROFILE, &w->mem);
    const struct ipr_view view = { .mem = &w->mem, .time_classes = w->source.pool->times };
    const struct ipr_view_context c = ipr_setting_games(&view);
    struct ipr_answer_basis_of_figures basis;

    ipr_view_context_basis(&c, &basis);
    answer->time_classes = basis.time_classes;
    answer->pool = basis.pool;
    if (w->n_by > 0)
        answer->judge = ipr_view_judge_of(w->by[0].judge, 0, &w->mem);
    ipr_profile_make(&w->source, &w->mem, answer);
    report_pools(w, answer);
    if (!w->r->games->calibrated)
        answer->rating.reason = ipr_rate_uncalibrated(&w->mem);
    ipr_page_profile(answer, page, &w->mem);
    page->report = true;
    page->itself = w->r->itself > 0 ? (int64_t)w->r->itself : IPR_NO_COUNT;
    page->scripts = w->r->scripts;
    report_folds(w, answer);
    answer->page = ipr_shape_page_json(IPR_SHAPE_PAGE_PROFILE, page);
    return ipr_shape_page_json(IPR_SHAPE_PROFILE, answer);
}

enum ipr_code ipr_rate_report(const struct ipr_rate_report *r, json_t **out, struct ipr_err *err)
{
    struct report_work w = { .r = r, .mem = IPR_ARENA_INIT };

    report_load(&w);
    enum ipr_code rc = report_set(&w, err);
    if (rc == IPR_OK && r->engine != NULL && r->config->confirm_nodes > 0)
        rc = report_confirm(&w, err);
    if (rc == IPR_OK)
        *out = report_page(&w);
    ipr_arena_release(&w.mem);
    return rc;
}
