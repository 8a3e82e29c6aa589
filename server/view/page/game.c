/* The page of one game. */
#include "view/page/page.h"

#include <math.h>
#include <string.h>

#include "view/json.h"

/* A score as people write it, White's view: +0.23, #3, #-3. `score` is a number of centipawns or
 * {"mate"}; `sign` -1 turns it round. */
static json_t *score_text(const json_t *score, int sign)
{
    const json_t *const mate = json_object_get(score, "mate");

    if (json_is_integer(mate))
        return ipr_page_format("#%d", sign * (int)json_integer_value(mate));
    if (!json_is_integer(score))
        return json_null();
    const double pawns = sign * (double)json_integer_value(score) / 100.0;

    return ipr_page_signed(pawns, 2);
}

static json_t *clock_text(const json_t *ms)
{
    const json_int_t s = json_integer_value(ms) / 1000;

    return ipr_page_format("%" JSON_INTEGER_FORMAT ":%02d:%02d", s / 3600, (int)(s / 60 % 60),
                           (int)(s % 60));
}

static json_t *glyph_text(int nag)
{
    static const char *const glyphs[] = {
        [1] = "!",  [2] = "?",  [3] = "!!", [4] = "??",  [5] = "!?",
        [6] = "?!", [7] = "□",  [10] = "=", [13] = "∞",  [14] = "⩲",
        [15] = "⩱", [16] = "±", [17] = "∓", [18] = "+−", [19] = "−+",
    };
    const size_t n = sizeof glyphs / sizeof *glyphs;

    if (nag > 0 && (size_t)nag < n && glyphs[nag] != NULL)
        return json_string(glyphs[nag]);
    return ipr_page_format("$%d", nag);
}

static json_t *eval_text(const json_t *note)
{
    const json_int_t depth = json_integer_value(json_object_get(note, "depth"));
    json_t *const score = score_text(json_object_get(note, "eval_white"), 1);
    json_t *const text =
        depth > 0 ? ipr_page_format("evaluation in the file %s, depth %" JSON_INTEGER_FORMAT,
                                    json_string_value(score), depth)
                  : ipr_page_format("evaluation in the file %s", json_string_value(score));

    json_decref(score);
    return text;
}

static json_t *note_text(const json_t *note)
{
    const json_t *const search = json_object_get(note, "search");

    if (json_object_get(note, "nag") != NULL)
        return glyph_text((int)json_integer_value(json_object_get(note, "nag")));
    if (json_object_get(note, "comment") != NULL)
        return json_string(ipr_json_text_at(note, "comment"));
    if (json_object_get(note, "elapsed_ms") != NULL) {
        json_t *const spent = clock_text(json_object_get(note, "elapsed_ms"));
        json_t *const text = ipr_page_format("spent %s", json_string_value(spent));

        json_decref(spent);
        return text;
    }
    if (search != NULL) {
        json_t *const value = ipr_page_signed(ipr_json_at(search, "value", NAN) / 100.0, 2);
        json_t *const text = ipr_page_format(
            "searched %s: %s for the mover, depth %.0f", ipr_json_text_at(search, "san"),
            json_string_value(value), ipr_json_at(search, "depth", NAN));

        json_decref(value);
        return text;
    }
    return eval_text(note);
}

static const char *state_text(const char *state)
{
    static const struct {
        const char *name, *text;
    } states[] = {
        { "checkmate", "checkmate" },
        { "stalemate", "stalemate" },
        { "insufficient_material", "drawn: neither side can mate" },
        { "fivefold_repetition", "drawn: fifth time in this position" },
        { "seventy_five_moves", "drawn: 75 moves without capture or pawn move" },
        { "threefold_repetition", "third time in this position: a draw may be claimed" },
        { "fifty_moves", "50 moves without capture or pawn move: a draw may be claimed" },
    };

    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (strcmp(states[i].name, state) == 0)
            return states[i].text;
    return NULL;
}

/* Lists that go along with the moves, each read on from where it was. */
struct along {
    const json_t *turns, *notes, *states, *endgame;
    size_t turn, note, state, truth;
};

static json_int_t ply_of(const json_t *list, size_t i)
{
    const json_t *const row = json_array_get(list, i);

    return row != NULL ? json_integer_value(json_object_get(row, "ply")) : -1;
}

/* Sets "notes" and "clock": what stands after `ply` half-moves. */
static void put_notes(struct along *a, json_int_t ply, json_t *row)
{
    json_t *const texts = json_array();
    json_t *clock = json_null();

    for (; ply_of(a->notes, a->note) == ply; a->note++) {
        const json_t *const note = json_array_get(a->notes, a->note);
        const json_t *const ms = json_object_get(note, "clock_ms");

        if (ms == NULL)
            json_array_append_new(texts, note_text(note));
        else {
            json_decref(clock);
            clock = clock_text(ms);
        }
    }
    json_object_set_new(row, "notes", texts);
    json_object_set_new(row, "clock", clock);
}

static void put_state(struct along *a, json_int_t ply, json_t *row)
{
    const char *text = NULL;

    for (; a->state < json_array_size(a->states) && ply_of(a->states, a->state) <= ply; a->state++)
        if (ply_of(a->states, a->state) == ply)
            text = state_text(ipr_json_text_at(json_array_get(a->states, a->state), "state"));
    json_object_set_new(row, "state", text != NULL ? json_string(text) : json_null());
}

/* The engine's first choice, where another move was played that is worse. */
static json_t *best_text(const json_t *turn)
{
    const int sign = strcmp(ipr_json_text_at(turn, "mover"), "w") == 0 ? 1 : -1;
    json_t *score, *text;

    const json_t *const best = ipr_json_find(turn, "best.score");

    if (ipr_json_at(turn, "rank", 1.0) < 2.0 ||
        json_equal(best, ipr_json_find(turn, "played.score")))
        return json_null();
    score = score_text(best, sign);
    text = ipr_page_format("%s %s", ipr_json_text_at(turn, "best.san"), json_string_value(score));
    json_decref(score);
    return text;
}

static void put_turn(struct along *a, json_int_t ply, json_t *row)
{
    json_t *evaluation = json_null(), *best = json_null();

    if (ply_of(a->turns, a->turn) == ply) {
        const json_t *const turn = json_array_get(a->turns, a->turn++);

        json_decref(evaluation);
        json_decref(best);
        evaluation = score_text(json_object_get(turn, "eval_white"), 1);
        best = best_text(turn);
    }
    json_object_set_new(row, "evaluation", evaluation);
    json_object_set_new(row, "best", best);
}

static const char *truth_word(const char *value)
{
    static const struct {
        const char *value, *word;
    } words[] = {
        { "win", "won" },    { "cursed_win", "won but for the fifty-move rule" },
        { "draw", "drawn" }, { "blessed_loss", "lost but for the fifty-move rule" },
        { "loss", "lost" },
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].value, value) == 0)
            return words[i].word;
    return value;
}

/* Sets "truth": what tablebases say before and, where it is something else, after the move; from
 * the mover's point of view. */
static void put_truth(struct along *a, json_int_t ply, json_t *row)
{
    json_t *text = json_null();

    if (ply_of(a->endgame, a->truth) == ply) {
        const json_t *const truth = json_array_get(a->endgame, a->truth++);
        const char *const before = ipr_json_text_at(truth, "before");
        const char *const after = ipr_json_text_at(truth, "after");

        json_decref(text);
        text = strcmp(before, after) == 0
                   ? ipr_page_format("Tablebases: %s.", truth_word(before))
                   : ipr_page_format("Tablebases: %s before the move, %s after it.",
                                     truth_word(before), truth_word(after));
    }
    json_object_set_new(row, "truth", text);
}

static json_t *move_text(const json_t *move)
{
    const bool white = strcmp(ipr_json_text_at(move, "mover"), "w") == 0;

    return ipr_page_format("%.0f%s %s", ipr_json_at(move, "number", 0.0), white ? "." : "…",
                           ipr_json_text_at(move, "san"));
}

static json_t *move_rows(const json_t *resource, json_t *page)
{
    struct along a = { .turns = json_object_get(resource, "turns"),
                       .notes = json_object_get(resource, "notes"),
                       .states = json_object_get(resource, "states"),
                       .endgame = json_object_get(resource, "endgame") };
    const json_t *move;
    json_t *const rows = json_array();
    size_t i;

    put_notes(&a, 0, page); /* what stands before the first move */
    put_state(&a, 0, page);
    json_array_foreach(json_object_get(resource, "moves"), i, move) {
        json_t *const row = json_pack("{s:o}", "move", move_text(move));

        put_turn(&a, (json_int_t)i, row);
        put_truth(&a, (json_int_t)i, row);
        put_notes(&a, (json_int_t)i + 1, row);
        put_state(&a, (json_int_t)i + 1, row);
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *tag_rows(json_t *tags)
{
    json_t *const rows = json_array();
    const char *name;
    json_t *value;

    json_object_foreach(tags, name, value)
        json_array_append_new(rows, json_pack("{s:s, s:O}", "name", name, "value", value));
    return rows;
}

static json_t *time_text(const json_t *resource)
{
    const char *const known = ipr_json_text_at(resource, "time_class_known");

    if (strcmp(known, "unknown") == 0)
        return json_string("unknown");
    return ipr_page_format("%s, %s", ipr_json_text_at(resource, "time_class"),
                           strcmp(known, "tag") == 0 ? "as tagged" : "from the name of the event");
}

static json_t *judgement_rows(const json_t *judged_by, double game)
{
    json_t *const rows = json_array();
    const json_t *j;
    size_t i;

    json_array_foreach(judged_by, i, j)
        json_array_append_new(
            rows,
            json_pack(
                "{s:o, s:s, s:o, s:o}", "judge", ipr_page_judge(json_object_get(j, "judge")),
                "side", strcmp(ipr_json_text_at(j, "mover"), "w") == 0 ? "White" : "Black", "turns",
                ipr_page_count(ipr_json_at(j, "turns", NAN)), "href",
                ipr_page_format("/games/%.0f?judge=%.0f", game, ipr_json_at(j, "judge.id", 0.0))));
    return rows;
}

static json_t *source_rows(const json_t *sources)
{
    json_t *const rows = json_array();
    const json_t *source;
    size_t i;

    json_array_foreach(sources, i, source)
        json_array_append_new(
            rows,
            json_pack(
                "{s:s, s:o, s:o, s:o}", "source", ipr_json_text_at(source, "source"), "href",
                ipr_page_format("/uploads/%.0f", ipr_json_at(source, "upload", 0.0)), "game",
                ipr_page_format("%.0f%s", ipr_json_at(source, "game", 0.0),
                                ipr_json_true_at(source, "duplicate") ? ", known already" : ""),
                "when", ipr_page_format("%.10s", ipr_json_text_at(source, "created"))));
    return rows;
}

/* "Event, Site, round 3, 1971.09.30", of which any may be missing. */
static json_t *when_text(const json_t *resource)
{
    static const struct {
        const char *member, *before;
    } parts[] = { { "event", "" }, { "site", "" }, { "round", "round " }, { "date", "" } };
    json_t *text = json_string("");

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *const part = ipr_json_text_at(resource, parts[i].member);
        const char *const so_far = json_string_value(text);

        if (*part == '\0')
            continue;
        json_t *const longer =
            ipr_page_format("%s%s%s%s", so_far, *so_far != '\0' ? ", " : "", parts[i].before, part);
        json_decref(text);
        text = longer;
    }
    return text;
}

static void put_links(const json_t *resource, double id, json_t *page)
{
    const bool judged = json_array_size(json_object_get(resource, "turns")) > 0;
    const double judge = ipr_json_at(resource, "judge.id", 0.0);

    json_object_set_new(page, "pgn", ipr_page_format("/api/v1/games/%.0f.pgn", id));
    json_object_set_new(
        page, "pgn_evals",
        judged ? ipr_page_format("/api/v1/games/%.0f.pgn?evals=true&judge=%.0f", id, judge)
               : json_null());
    json_object_set_new(
        page, "pgn_alliot",
        judged ? ipr_page_format("/api/v1/games/%.0f.pgn?form=alliot&judge=%.0f", id, judge)
               : json_null());
}

bool ipr_page_game(json_t *resource, json_t *page)
{
    const double id = ipr_json_at(resource, "id", 0.0);
    const char *const ending = state_text(ipr_json_text_at(resource, "final_state"));

    if (!json_is_array(json_object_get(resource, "moves")))
        return false;
    json_t *const title = ipr_page_format("%s – %s, %s", ipr_json_text_at(resource, "white.name"),
                                          ipr_json_text_at(resource, "black.name"),
                                          ipr_json_text_at(resource, "result"));
    json_t *const href = ipr_page_format("/api/v1/games/%.0f", id);
    ipr_page_head(page, json_string_value(title), json_string_value(href));
    json_decref(title);
    json_decref(href);
    put_links(resource, id, page);
    json_object_set_new(page, "moves", move_rows(resource, page));
    json_object_set_new(page, "tags", tag_rows(json_object_get(resource, "tags")));
    json_object_set_new(page, "when", when_text(resource));
    json_object_set_new(page, "sources", source_rows(json_object_get(resource, "sources")));
    json_object_set_new(page, "time", time_text(resource));
    json_object_set_new(page, "ending", ending != NULL ? json_string(ending) : json_null());
    json_object_set_new(page, "judge", ipr_page_judge(json_object_get(resource, "judge")));
    json_object_set_new(page, "has_endgame",
                        json_boolean(json_array_size(json_object_get(resource, "endgame")) > 0));
    json_object_set_new(page, "has_turns",
                        json_boolean(json_array_size(json_object_get(resource, "turns")) > 0));
    json_object_set_new(page, "judgements",
                        judgement_rows(json_object_get(resource, "judged_by"), id));
    return true;
}
