/* One game out of a real database: its resource, its page, its PGN. */
#include <stdlib.h>

#include "db/endgames.h"
#include "db/judges.h"
#include "db/turns.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_sentences_sample.h"
#include "ipr_test.h"
#include "view/game/game.h"
#include "view/json.h"
#include "view/view.h"

#define PLIES 70
#define TURNS 54 /* of them from move 9 on */

/* A game judged by the judge "sample" and another that nobody judged. */
struct scene {
    struct ipr_db_fixture *f;
    struct ipr_view view;
    struct ipr_config config;
    int32_t judge_id;
    int64_t judged_id, other_id;
    struct ipr_db_game game;
    struct ipr_judged_game judged;
};

static enum ipr_code store(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct scene *s = arg;
    unsigned stored;

    return ipr_db_sides_store(db, s->judge_id, &s->game, &s->judged, 3, &ipr_sample_work, &stored,
                              err);
}

static struct scene *open_scene(struct ipr_db_fixture *f)
{
    struct scene *s = ipr_arena_alloc(&f->mem, 1, sizeof *s);
    const struct ipr_judge judge = ipr_sample_judge();
    struct ipr_db_new_game games[] = {
        ipr_sample_game(&f->mem, 1, "Tal, M", "Botvinnik", 1960, PLIES),
        ipr_sample_game(&f->mem, 2, "Botvinnik", "Tal, M", 1961, PLIES),
    };

    s->f = f;
    s->config.judge = "sample";
    s->config.calibration = "none";
    s->view = (struct ipr_view){ .config = &s->config, .db = f->db, .mem = &f->mem };
    games[0].time_class = IPR_TIME_BLITZ;
    games[0].time_known = IPR_TIME_INFERRED;
    games[0].tags_json = "{\"Event\":\"City blitz\",\"White\":\"Tal, M\",\"ECO\":\"A00\"}";
    ipr_sample_store(f->db, games, 2, "sample");
    s->judged_id = games[0].id;
    s->other_id = games[1].id;
    assert_ok(ipr_db_judge_ensure(f->db, &judge, &s->judge_id, &f->err), &f->err);
    assert_ok(ipr_db_game_get(f->db, s->judged_id, &f->mem, &s->game, &f->err), &f->err);
    s->judged = ipr_sample_judgement(&f->mem, &judge, &s->game, 5);
    assert_int_equal(s->judged.n, TURNS);
    assert_ok(ipr_db_tx(f->db, store, s, &f->err), &f->err);
    return s;
}

static void the_resource_has_it_all(void **state)
{
    const struct scene *s = open_scene(*state);
    struct ipr_err err = IPR_ERR_INIT;
    json_t *r = NULL;

    assert_ok(ipr_view_game(&s->view, &(struct ipr_game_request){ .game = s->judged_id }, &r, &err),
              &err);
    assert_string_equal(ipr_json_text_at(r, "white.name"), "Tal, M");
    assert_string_equal(ipr_json_text_at(r, "tags.ECO"), "A00");
    assert_string_equal(ipr_json_text_at(r, "time_class"), "blitz");
    assert_string_equal(ipr_json_text_at(r, "time_class_known"), "inferred");
    assert_string_equal(ipr_json_text_at(r, "judge.name"), "sample");
    assert_int_equal(json_array_size(json_object_get(r, "moves")), PLIES);
    assert_int_equal(json_array_size(json_object_get(r, "turns")), TURNS);
    assert_int_equal(json_array_size(json_object_get(r, "judged_by")), 2);
    assert_int_equal(json_array_size(json_object_get(r, "sources")), 1);

    const json_t *turn = json_array_get(json_object_get(r, "turns"), 3);
    const struct ipr_judged_turn *t = &s->judged.turns[3];
    assert_int_equal((int)ipr_json_at(turn, "ply", -1), t->ply);
    assert_int_equal((int)ipr_json_at(turn, "rank", -1), t->played + 1);
    const json_t *move = json_array_get(json_object_get(r, "moves"), t->ply);
    assert_string_equal(ipr_json_text_at(turn, "played.uci"), ipr_json_text_at(move, "uci"));
    assert_string_equal(ipr_json_text_at(turn, "played.san"), ipr_json_text_at(move, "san"));

    assert_ok(ipr_view_page("game", r, &err), &err);
    assert_ptr_equal(json_object_get(move, "turn"), turn);
    json_decref(r);
}

static void a_game_nobody_judged(void **state)
{
    const struct scene *s = open_scene(*state);
    struct ipr_err err = IPR_ERR_INIT;
    json_t *r = NULL;

    assert_ok(ipr_view_game(&s->view, &(struct ipr_game_request){ .game = s->other_id }, &r, &err),
              &err);
    assert_int_equal(json_array_size(json_object_get(r, "turns")), 0);
    assert_int_equal(json_array_size(json_object_get(r, "judged_by")), 0);
    assert_string_equal(ipr_json_text_at(r, "judge.name"), "sample"); /* whose turns these are */
    assert_ok(ipr_view_page("game", r, &err), &err);
    json_decref(r);
    assert_int_equal(ipr_view_game(&s->view, &(struct ipr_game_request){ .game = 999 }, &r, &err),
                     IPR_ENOTFOUND);
}

static enum ipr_code store_truth(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    static const struct ipr_db_endgame_turn truth[] = {
        { .ply = 60,
          .mover = 0,
          .men = 5,
          .before = 2,
          .after = 2,
          .dtz_before = 9,
          .dtz_after = 8 },
        { .ply = 61, .mover = 1, .men = 5, .before = -1, .after = -2 },
        { .ply = 62, .mover = 0, .men = 4, .before = 1, .after = 0, .dtz_before = 101 },
    };
    const struct scene *s = arg;

    return ipr_db_endgame_store(db, s->other_id, truth, 3, err);
}

/* Tablebases need no judge: their word stands beside the moves either way. */
static void endgames_have_their_truth(void **state)
{
    static const struct {
        const char *before, *after;
        bool changed;
    } rows[] = {
        { "win", "win", false },
        { "blessed_loss", "loss", true },
        { "cursed_win", "draw", true },
    };
    struct scene *s = open_scene(*state);
    struct ipr_err err = IPR_ERR_INIT;
    json_t *r = NULL;

    assert_ok(ipr_db_tx(s->f->db, store_truth, s, &err), &err);
    assert_ok(ipr_view_game(&s->view, &(struct ipr_game_request){ .game = s->other_id }, &r, &err),
              &err);
    assert_ok(ipr_view_page("game", r, &err), &err);
    const json_t *list = json_object_get(r, "endgame");
    assert_int_equal(json_array_size(list), 3);
    for (size_t i = 0; i < 3; i++) {
        const json_t *one = json_array_get(list, i);
        const json_t *row = json_array_get(json_object_get(r, "moves"), 60 + i);

        assert_int_equal((int)ipr_json_at(one, "ply", -1), 60 + (int)i);
        assert_string_equal(ipr_json_text_at(one, "before"), rows[i].before);
        assert_string_equal(ipr_json_text_at(one, "after"), rows[i].after);
        assert_ptr_equal(json_object_get(row, "truth"), one);
        assert_int_equal(ipr_json_true_at(row, "changed"), rows[i].changed);
    }
    assert_int_equal((int)ipr_json_at(json_array_get(list, 2), "dtz_before", 0), 101);
    assert_true(json_is_null(json_object_get(json_array_get(list, 2), "dtz_after")));
    assert_null(json_object_get(json_array_get(json_object_get(r, "moves"), 63), "truth"));
    json_decref(r);
    assert_ok(ipr_view_game(&s->view, &(struct ipr_game_request){ .game = s->judged_id }, &r, &err),
              &err);
    assert_int_equal(json_array_size(json_object_get(r, "endgame")), 0);
    json_decref(r);
}

/* ---- PGN ---- */

/* What was read back of one game. */
struct seen {
    struct ipr_arena *mem;
    unsigned games;
    struct ipr_pgn_note *notes;
    size_t n_notes, n_moves;
    const char *evaluator, *annotator, *eco;
};

static const char *keep(struct seen *seen, struct ipr_str s)
{
    return ipr_arena_strndup(seen->mem, s.p, s.n);
}

static enum ipr_code see(void *payload, const struct ipr_pgn_game *g, struct ipr_err *err)
{
    struct seen *const seen = payload;

    (void)err;
    assert_int_equal(g->error.code, IPR_OK);
    seen->games++;
    seen->n_moves = g->n_moves;
    seen->n_notes = g->n_notes;
    seen->notes = ipr_arena_alloc(seen->mem, g->n_notes + 1, sizeof *seen->notes);
    if (g->n_notes > 0)
        memcpy(seen->notes, g->notes, g->n_notes * sizeof *g->notes);
    seen->evaluator = keep(seen, ipr_pgn_tag_get(g, "Evaluator"));
    seen->annotator = keep(seen, ipr_pgn_tag_get(g, "Annotator"));
    seen->eco = keep(seen, ipr_pgn_tag_get(g, "ECO"));
    return IPR_OK;
}

static struct seen written(const struct scene *s, int64_t id, int form, bool evals)
{
    const struct ipr_pgn_limits limits = { .notes = true };
    struct seen seen = { .mem = &s->f->mem };
    struct ipr_pgn_reader *r = ipr_pgn_reader_new(&limits, see, &seen);
    struct ipr_buf pgn = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_view_game_pgn(
                  &s->view, &(struct ipr_game_request){ .game = id, .form = form, .evals = evals },
                  &pgn, &err),
              &err);
    assert_ok(ipr_pgn_reader_feed(r, pgn.p, pgn.n, &err), &err);
    assert_ok(ipr_pgn_reader_finish(r, &err), &err);
    ipr_pgn_reader_free(&r);
    ipr_buf_release(&pgn);
    assert_int_equal(seen.games, 1);
    assert_int_equal(seen.n_moves, PLIES);
    return seen;
}

static void as_stored(void **state)
{
    const struct scene *s = open_scene(*state);
    const struct seen seen = written(s, s->judged_id, IPR_GAME_FORM_NOTES, false);

    assert_int_equal(seen.n_notes, 0);
    assert_string_equal(seen.eco, "A00");
    assert_string_equal(seen.evaluator, "");
}

static void with_evaluations(void **state)
{
    const struct scene *s = open_scene(*state);
    const struct seen seen = written(s, s->judged_id, IPR_GAME_FORM_NOTES, true);
    const struct ipr_pgn_note *note = seen.notes;

    assert_non_null(strstr(seen.evaluator, ipr_sample_judge().engine));
    for (size_t i = 0; i < s->judged.n; i++) {
        const struct ipr_judged_turn *t = &s->judged.turns[i];
        int32_t value;
        bool mate;

        if (!ipr_eval_after(t, &mate, &value))
            continue;
        assert_true(note < seen.notes + seen.n_notes);
        assert_int_equal(note->kind, IPR_NOTE_EVAL);
        assert_int_equal(note->ply, t->ply + 1u);
        assert_int_equal(note->mate, mate);
        assert_int_equal(note->value, value);
        assert_int_equal(note->depth, t->depth);
        note++;
    }
    assert_ptr_equal(note, seen.notes + seen.n_notes);
}

/* The sample judge reports two depths: one change, if any, from the first to the second. */
static void expect_search(const struct ipr_pgn_note *note, const struct ipr_judged_turn *t,
                          unsigned line)
{
    const int16_t *const score = t->score + (size_t)line * t->depth;
    const bool both = t->depth == 2 && score[0] != IPR_SCORE_NONE &&
                      !ipr_score_is_mate(score[0], NULL) && !ipr_score_is_mate(score[1], NULL);
    const int change = both ? abs(score[1] - score[0]) : 0;

    assert_int_equal(note->kind, IPR_NOTE_SEARCH);
    assert_int_equal(note->ply, t->ply + 1u);
    assert_int_equal(note->search.move, t->moves[line]);
    assert_int_equal(note->search.value, ipr_judged_final(t, line));
    assert_int_equal(note->search.depth, t->depth);
    assert_int_equal(note->search.dmean, both ? change : IPR_NOTE_UNKNOWN);
    assert_int_equal(note->search.dmax, both ? change : IPR_NOTE_UNKNOWN);
    assert_int_equal(note->search.ddmax, !both ? IPR_NOTE_UNKNOWN : change > 0 ? 1 : 0);
    assert_int_equal(note->search.seldepth, IPR_NOTE_UNKNOWN);
    assert_int_equal(note->search.tbhits, IPR_NOTE_UNKNOWN);
    assert_int_equal(note->search.time_ms, IPR_NOTE_UNKNOWN);
}

static void in_alliots_format(void **state)
{
    const struct scene *s = open_scene(*state);
    const struct seen seen = written(s, s->judged_id, IPR_GAME_FORM_ALLIOT, false);
    size_t n = 0;

    assert_non_null(strstr(seen.annotator, "Format:value,depth,seldepth,tbhits,time,dmean,"));
    assert_string_equal(seen.eco, ""); /* not one of his tags */
    for (size_t i = 0; i < s->judged.n; i++) {
        const struct ipr_judged_turn *t = &s->judged.turns[i];

        assert_true(n < seen.n_notes);
        expect_search(&seen.notes[n++], t, t->played);
        for (unsigned line = 0; line < t->lines && line < 2; line++)
            if (line != t->played) {
                assert_true(n < seen.n_notes);
                expect_search(&seen.notes[n++], t, line);
            }
    }
    assert_int_equal(n, seen.n_notes);
}

static void evaluations_that_are_not_there(void **state)
{
    const struct scene *s = open_scene(*state);
    struct ipr_buf pgn = IPR_BUF_INIT;

    for (int form = IPR_GAME_FORM_NOTES; form <= IPR_GAME_FORM_ALLIOT; form++) {
        const bool evals = form == IPR_GAME_FORM_NOTES;
        const struct {
            struct ipr_game_request asked;
            enum ipr_code code;
        } rows[] = {
            { { .game = s->other_id, .form = form, .evals = evals }, IPR_ECONFLICT },
            { { .game = s->judged_id, .form = form, .evals = evals, .judge = "quick" },
              IPR_ECONFLICT },
            { { .game = 999, .form = form, .evals = evals }, IPR_ENOTFOUND },
            { { .game = s->judged_id, .form = IPR_GAME_FORM_ALLIOT, .evals = true }, IPR_EPARSE },
        };

        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            struct ipr_err err = IPR_ERR_INIT;

            assert_int_equal(ipr_view_game_pgn(&s->view, &rows[i].asked, &pgn, &err), rows[i].code);
            if (rows[i].code != IPR_ENOTFOUND)
                assert_string_equal(err.type,
                                    rows[i].code == IPR_EPARSE ? "bad_parameter" : "not_judged");
        }
    }
    assert_int_equal(pgn.n, 0);
    (void)written(s, s->other_id, IPR_GAME_FORM_NOTES, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(the_resource_has_it_all),
        WITH_DB(a_game_nobody_judged),
        WITH_DB(endgames_have_their_truth),
        WITH_DB(as_stored),
        WITH_DB(with_evaluations),
        WITH_DB(in_alliots_format),
        WITH_DB(evaluations_that_are_not_there),
    };

    ipr_sentences_sample();
    return cmocka_run_group_tests_name("games", tests, NULL, NULL);
}
