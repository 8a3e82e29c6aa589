#ifndef IPR_TEST_DB_REPORT_GAMES_H
#define IPR_TEST_DB_REPORT_GAMES_H

#include "view/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/identity_changes.h"
#include "db/judged_games.h"
#include "db/judges.h"
#include "db/players.h"
#include "db/turns.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"
#include "ipr_view_sample.h"
#include "model/prediction_error.h"
#include "model/score_curve.h"
#include "view/json.h"
#include "view/rating/rate.h"

/* The sample has final scores alone: what the depth before said is made up, some of it. */
static inline void fill_depths(struct ipr_arena *mem, struct ipr_judged_game *g, unsigned seed)
{
    for (size_t i = 0; i < g->n; i++) {
        struct ipr_judged_turn *t = &g->turns[i];
        const size_t n = (size_t)t->lines * t->depth;
        int16_t *score = ipr_arena_alloc(mem, n, sizeof *score);

        memcpy(score, t->score, n * sizeof *score);
        for (size_t k = 0; k < n; k += t->depth)
            if ((i + k + seed) % 5 != 0)
                score[k] = (int16_t)((int)((i * 37 + k * 11 + seed * 7) % 300) - 150);
        t->score = score;
    }
}

static inline void judge_sides(struct ipr_db_fixture *f, int64_t id, unsigned seed, unsigned sides)
{
    const struct ipr_judge judge = ipr_sample_judge();
    struct ipr_db_game game;

    assert_ok(ipr_db_game_get(f->db, id, &f->mem, &game, &f->err), &f->err);
    struct ipr_judged_game judged = ipr_sample_judgement(&f->mem, &judge, &game, seed);
    size_t n = 0;

    fill_depths(&f->mem, &judged, seed);
    for (size_t i = 0; i < judged.n; i++)
        if (sides >> judged.turns[i].mover & 1)
            judged.turns[n++] = judged.turns[i];
    judged.n = n;
    ipr_sample_judged(f->db, ipr_sample_judge_id(f->db), &game, &judged, sides);
}

/* A game of `seed`, stored and judged. */
static inline int64_t add_game(struct ipr_db_fixture *f, unsigned seed, const char *white,
                               const char *black, int year, const char *event,
                               enum ipr_result result)
{
    struct ipr_db_new_game g = ipr_sample_game(&f->mem, seed, white, black, year, 70);

    g.event = event;
    g.result = result;
    ipr_sample_store(f->db, &g, 1, "sample");
    judge_sides(f, g.id, seed, 3);
    return g.id;
}

static const enum ipr_result outcomes[] = { IPR_WHITE_WINS, IPR_DRAW, IPR_BLACK_WINS };

/* n judged games with results of every kind, colours by turns. */
static inline void add_games(struct ipr_db_fixture *f, unsigned seed, unsigned n, const char *a,
                             const char *b, int year, const char *event)
{
    for (unsigned i = 0; i < n; i++)
        add_game(f, seed + i, i % 2 ? b : a, i % 2 ? a : b, year, event, outcomes[i % 3]);
}

static inline json_t *report_of(struct ipr_db_fixture *f, const struct ipr_report_kind *kind,
                                const json_t *params)
{
    const struct ipr_config config = { .judge = "sample", .calibration = "sample" };
    const struct ipr_view view = { .config = &config, .db = f->db, .mem = &f->mem };
    struct ipr_view_context c;
    json_t *out = NULL;

    assert_ok(ipr_setting_for(&view, IPR_FOR_LINES, NULL, &c, &f->err), &f->err);
    assert_ok(kind->compute(&c, params, &out, &f->err), &f->err);
    ipr_view_context_close(&c);
    assert_non_null(out);
    return out;
}

/* A report with one parameter set, or none. */
static inline json_t *report(struct ipr_db_fixture *f, const struct ipr_report_kind *kind,
                             const char *name, json_t *value)
{
    json_t *params = ipr_report_params_default(kind);

    if (name)
        json_object_set_new(params, name, value);
    json_t *out = report_of(f, kind, params);
    json_decref(params);
    return out;
}

static const json_t *first_match(const json_t *r)
{
    return json_array_get(json_object_get(r, "matches"), 0);
}

#endif
