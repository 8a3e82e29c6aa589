/* A stored game as PGN, with a judge's evaluations on request. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/annotated.h"
#include "core/setting.h"
#include "core/tags_json.h"
#include "db/judges.h"
#include "db/turns.h"
#include "view/game/game.h"

/* Lines that were not played; Alliot writes at least two, three when another move was played. */
#define SEARCHED_LINES 2

bool ipr_eval_after(const struct ipr_judged_turn *t, bool *mate, int32_t *value)
{
    const int16_t score = ipr_judged_final(t, t->played);
    int moves;

    *mate = ipr_score_is_mate(score, &moves);
    if (*mate && moves == 1)
        return false;
    int32_t own = score;
    if (*mate) /* the mover's own move is one of those to mate */
        own = moves > 0 ? moves - 1 : moves;
    *value = t->mover == IPR_WHITE ? own : -own;
    return true;
}

/* Notes being merged: those of the game with those of the judge. */
struct note_list {
    struct ipr_pgn_note *rows;
    size_t n;
};

static void add_eval(struct note_list *list, const struct ipr_judged_turn *t)
{
    struct ipr_pgn_note note = { .ply = t->ply + 1u, .kind = IPR_NOTE_EVAL, .depth = t->depth };

    if (ipr_eval_after(t, &note.mate, &note.value))
        list->rows[list->n++] = note;
}

/* Changes of the value from one reported depth to the next. */
static void value_changes(const struct ipr_judged_turn *t, unsigned line, struct ipr_note_search *s)
{
    const int16_t *const score = t->score + (size_t)line * t->depth;
    int64_t sum = 0;
    int n = 0, moves;

    for (int d = 1; d < t->depth; d++) {
        if (score[d - 1] == IPR_SCORE_NONE || score[d] == IPR_SCORE_NONE ||
            ipr_score_is_mate(score[d - 1], &moves) || ipr_score_is_mate(score[d], &moves))
            continue;
        const int change = abs(score[d] - score[d - 1]);
        sum += change;
        if (n++ == 0)
            s->dmax = s->ddmax = 0;
        if (change > s->dmax) {
            s->dmax = change;
            s->ddmax = d; /* score[d - 1] is that of depth d */
        }
    }
    if (n > 0)
        s->dmean = (int32_t)((sum + n / 2) / n);
}

static void add_search(struct note_list *list, const struct ipr_judged_turn *t, unsigned line)
{
    struct ipr_pgn_note note = {
        .ply = t->ply + 1u,
        .kind = IPR_NOTE_SEARCH,
        .search = { .move = t->moves[line],
                    .value = ipr_judged_final(t, line),
                    .depth = t->depth,
                    .seldepth = IPR_NOTE_UNKNOWN,
                    .tbhits = IPR_NOTE_UNKNOWN,
                    .time_ms = IPR_NOTE_UNKNOWN,
                    .dmean = IPR_NOTE_UNKNOWN,
                    .dmax = IPR_NOTE_UNKNOWN,
                    .ddmax = IPR_NOTE_UNKNOWN },
    };

    value_changes(t, line, &note.search);
    list->rows[list->n++] = note;
}

static void add_searches(struct note_list *list, const struct ipr_judged_turn *t)
{
    add_search(list, t, t->played);
    for (unsigned line = 0; line < t->lines && line < SEARCHED_LINES; line++)
        if (line != t->played)
            add_search(list, t, line);
}

static bool is_replaced(const struct ipr_pgn_note *note, const struct ipr_game_pgn *how)
{
    return (how->evals && note->kind == IPR_NOTE_EVAL) ||
           (how->form == IPR_PGN_ALLIOT && note->kind == IPR_NOTE_SEARCH);
}

/* The judge's note on a turn is written after the move and its glyphs, before comments. */
static bool stands_before(const struct ipr_judged_turn *t, const struct ipr_pgn_note *note)
{
    const uint32_t ply = t->ply + 1u;

    return ply < note->ply || (ply == note->ply && note->kind != IPR_NOTE_NAG);
}

static struct note_list join_notes(const struct ipr_stored_game *g,
                                   const struct ipr_judged_game *judged,
                                   const struct ipr_game_pgn *how, struct ipr_arena *mem)
{
    const size_t most = g->n_notes + judged->n * (SEARCHED_LINES + 2);
    struct note_list list = { ipr_arena_alloc(mem, most + 1, sizeof *list.rows), 0 };
    const struct ipr_pgn_note end = { .ply = UINT32_MAX };
    size_t turn = 0;

    for (size_t i = 0; i <= g->n_notes; i++) {
        const struct ipr_pgn_note *const note = i < g->n_notes ? &g->notes[i] : &end;

        for (; turn < judged->n && stands_before(&judged->turns[turn], note); turn++) {
            if (how->form == IPR_PGN_ALLIOT)
                add_searches(&list, &judged->turns[turn]);
            else
                add_eval(&list, &judged->turns[turn]);
        }
        if (note != &end && !is_replaced(note, how))
            list.rows[list.n++] = *note;
    }
    return list;
}

static void add_tag(struct ipr_stored_game *g, const char *name, const char *value,
                    struct ipr_arena *mem)
{
    struct ipr_pgn_tag *const tags = ipr_arena_alloc(mem, g->n_tags + 1, sizeof *tags);
    size_t n = 0;

    for (size_t i = 0; i < g->n_tags; i++)
        if (!ipr_str_is(g->tags[i].name, name))
            tags[n++] = g->tags[i];
    tags[n++] = (struct ipr_pgn_tag){ ipr_str_c(name), ipr_str_c(value) };
    g->tags = tags;
    g->n_tags = n;
}

static void say_judge(struct ipr_stored_game *g, const struct ipr_game_pgn *how,
                      struct ipr_arena *mem)
{
    const struct ipr_judge *const j = &how->judge;
    const char *const network = *j->network != '\0' ? j->network : "none";
    char limit[IPR_LIMIT_TEXT_MAX];

    ipr_judge_limit_text(j, limit);
    if (how->form != IPR_PGN_ALLIOT) {
        add_tag(g, "Evaluator",
                ipr_arena_printf(mem, "%s, network %s, %s, %u lines, hash %u MB", j->engine,
                                 network, limit, j->multipv, j->hash_mb),
                mem);
        return;
    }
    if (j->depth > 0)
        snprintf(limit, sizeof limit, "Depth:%u", j->depth);
    add_tag(g, "Annotator",
            ipr_arena_printf(mem,
                             "Program:%s, Network:%s, TB:%s, Hash Size:%uM, %s, "
                             "Lines:%u, First move:%u, "
                             "Format:value,depth,seldepth,tbhits,time,dmean,(dmax,ddmax)",
                             j->engine, network,
                             strstr(j->options, "SyzygyPath") != NULL ? "Syzygy" : "none",
                             j->hash_mb, limit, j->multipv, j->first_move),
            mem);
}

static bool has_searches(const struct ipr_stored_game *g)
{
    for (size_t i = 0; i < g->n_notes; i++)
        if (g->notes[i].kind == IPR_NOTE_SEARCH)
            return true;
    return false;
}

void ipr_stored_game_pgn(const struct ipr_stored_game *game, const struct ipr_judged_game *judged,
                         const struct ipr_game_pgn *how, struct ipr_arena *mem, struct ipr_buf *out)
{
    struct ipr_stored_game g = *game;

    if (judged != NULL) {
        const struct note_list notes = join_notes(&g, judged, how, mem);

        g.notes = notes.rows;
        g.n_notes = notes.n;
        say_judge(&g, how, mem);
    }
    ipr_pgn_write_notes(out, g.tags, g.n_tags, &g.row.start, g.row.moves, g.row.n_moves, g.notes,
                        g.n_notes, how->form, g.row.result);
}

/* Turns of the judge if the form needs them. `wanted` false: only the notes of the file. */
static enum ipr_code fetch_turns(struct ipr_db *db, const struct ipr_stored_game *g,
                                 const struct ipr_game_pgn *how, struct ipr_arena *mem,
                                 struct ipr_judged_game *judged, bool *wanted, struct ipr_err *err)
{
    unsigned sides = 0; /* judged, although a short game may have no turns */
    enum ipr_code rc = IPR_OK;

    *wanted = how->evals || how->form == IPR_PGN_ALLIOT;
    /* The searches that these evaluations are of say more than they do. */
    if (how->form == IPR_PGN_ALLIOT &&
        strcmp(how->judge.name, ipr_setting_name(IPR_FOR_NOTES)) == 0 && has_searches(g)) {
        *wanted = false;
        return IPR_OK;
    }
    if (*wanted && how->judge_id != 0)
        rc = ipr_db_sides_judged(db, how->judge_id, g->row.id, &sides, err);
    if (rc != IPR_OK || !*wanted)
        return rc;
    if (sides != 0)
        return ipr_db_game_turns(db, how->judge_id, g->row.id, mem, judged, err);
    *wanted = false;
    if (how->form == IPR_PGN_ALLIOT && has_searches(g))
        return IPR_OK;
    return ipr_err_at(err, IPR_ECONFLICT, "not_judged", 0, 0, -1,
                      "game %lld has no evaluations by the engine setting %s", (long long)g->row.id,
                      how->judge.name);
}

enum ipr_code ipr_stored_game_get(struct ipr_db *db, int64_t id, struct ipr_arena *mem,
                                  struct ipr_stored_game *out, struct ipr_err *err)
{
    struct ipr_stored_game g = { 0 };
    enum ipr_code rc = ipr_db_game_get(db, id, mem, &g.row, err);

    if (rc == IPR_OK)
        rc = ipr_tags_from_json(g.row.tags_json, mem, &g.tags, &g.n_tags, err);
    if (rc == IPR_OK)
        rc = ipr_notes_unpack(g.row.notes, mem, &g.notes, &g.n_notes, err);
    if (rc != IPR_OK)
        return rc;
    *out = g;
    return IPR_OK;
}

enum ipr_code ipr_game_pgn(struct ipr_db *db, int64_t id, const struct ipr_game_pgn *of,
                           struct ipr_arena *mem, struct ipr_buf *out, struct ipr_err *err)
{
    struct ipr_judged_game judged = { NULL, 0 };
    struct ipr_game_pgn how = *of;
    struct ipr_stored_game g;
    bool wanted = false, found = false;
    enum ipr_code rc = ipr_stored_game_get(db, id, mem, &g, err);

    if (rc == IPR_OK && g.row.n_moves < g.row.plies)
        return ipr_err_at(err, IPR_ECONFLICT, "moves_not_stored", 0, 0, -1,
                          "The moves of game %lld are not stored, only figures of it.",
                          (long long)id);
    if (rc == IPR_OK)
        rc = ipr_db_judge_of_game(db, id, how.judge_id, &found, &how.judge_id, &how.judge, err);
    if (rc == IPR_OK)
        rc = fetch_turns(db, &g, &how, mem, &judged, &wanted, err);
    if (rc == IPR_OK && how.hide != NULL) {
        size_t n = 0; /* notes that are no comments */

        ipr_pseudonyms_apply(how.hide, mem, &g.tags, &g.n_tags);
        for (size_t i = 0; i < g.n_notes; i++)
            if (g.notes[i].kind != IPR_NOTE_COMMENT)
                g.notes[n++] = g.notes[i];
        g.n_notes = n;
    }
    if (rc == IPR_OK)
        ipr_stored_game_pgn(&g, wanted ? &judged : NULL, &how, mem, out);
    return rc;
}
