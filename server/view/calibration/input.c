#include "view/calibration/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/judge_json.h"
#include "model/judged.h"
#include "sentence/sentence.h"

#define LINE_LIMIT (1u << 20)
#define CP_MAX     32767
#define ELO_LOW    100
#define ELO_HIGH   4000

/* State of the file while its lines are read. */
struct reading {
    struct ipr_arena *mem;
    struct ipr_figures out;
    size_t *capacity; /* of each milepost's arrays */
    size_t milepost_capacity;
    uint32_t line;
};

static enum ipr_code input_error(const struct reading *r, struct ipr_err *err,
                                 enum ipr_calibration_figures what)
{
    return ipr_err_at(err, IPR_EPARSE, "bad_figures", r->line, 0, -1, "line %u: %s", r->line,
                      ipr_say_calibration_figures(what));
}

static bool input_whole_between(const json_t *v, json_int_t lo, json_int_t hi)
{
    return json_is_integer(v) && json_integer_value(v) >= lo && json_integer_value(v) <= hi;
}

static struct ipr_figures_milepost *input_milepost(struct reading *r, int nominal)
{
    for (size_t i = 0; i < r->out.n; i++)
        if (r->out.mileposts[i].nominal == nominal)
            return &r->out.mileposts[i];

    if (r->out.n == r->milepost_capacity) {
        r->milepost_capacity = r->milepost_capacity ? 2 * r->milepost_capacity : 16;
        r->out.mileposts =
            ipr_xrealloc(r->out.mileposts, r->milepost_capacity, sizeof *r->out.mileposts);
        r->capacity = ipr_xrealloc(r->capacity, r->milepost_capacity, sizeof *r->capacity);
    }
    r->capacity[r->out.n] = 0;
    r->out.mileposts[r->out.n] = (struct ipr_figures_milepost){ .nominal = nominal };
    return &r->out.mileposts[r->out.n++];
}

/* The members of a line about its side besides the turns. */
struct side {
    double elo, score;
};

static void input_append(struct reading *r, struct ipr_figures_milepost *m, struct ipr_turn turn,
                         struct side side)
{
    size_t *capacity = &r->capacity[m - r->out.mileposts];

    if (m->n == *capacity) {
        *capacity = *capacity ? 2 * *capacity : 256;
        m->turns = ipr_xrealloc(m->turns, *capacity, sizeof *m->turns);
        m->elo = ipr_xrealloc(m->elo, *capacity, sizeof *m->elo);
        m->score = ipr_xrealloc(m->score, *capacity, sizeof *m->score);
    }
    m->turns[m->n] = turn;
    m->elo[m->n] = side.elo;
    m->score[m->n++] = side.score;
}

static enum ipr_code input_read_cp(struct reading *r, const json_t *list, struct ipr_turn *turn,
                                   struct ipr_err *err)
{
    const size_t n = json_array_size(list);
    const json_t *value;
    size_t i;

    if (n == 0 || n > UINT8_MAX)
        return input_error(r, err, IPR_CALIBRATION_FIGURES_CP);
    int16_t *cp = ipr_arena_alloc(r->mem, n, sizeof *cp);
    json_array_foreach(list, i, value) {
        if (!input_whole_between(value, -CP_MAX, CP_MAX))
            return input_error(r, err, IPR_CALIBRATION_FIGURES_EVALUATION);
        cp[i] = (int16_t)ipr_cp_clamp((int)json_integer_value(value));
    }
    turn->cp = cp;
    turn->n_cp = (uint8_t)n;
    return IPR_OK;
}

/* One turn; the judge's lines are the first min(K, legal), the move played follows if outside. */
static enum ipr_code input_read_turn(struct reading *r, const json_t *t, struct ipr_turn *turn,
                                     struct ipr_err *err)
{
    const json_t *ply = json_object_get(t, "ply");
    const json_t *played = json_object_get(t, "played");
    const json_t *legal = json_object_get(t, "legal");
    const json_t *repeated = json_object_get(t, "repeated");

    if (!input_whole_between(ply, 0, 20000) || !input_whole_between(played, 0, UINT8_MAX) ||
        !input_whole_between(legal, 1, UINT8_MAX) || !json_is_boolean(repeated))
        return input_error(r, err, IPR_CALIBRATION_FIGURES_TURN);
    enum ipr_code rc = input_read_cp(r, json_object_get(t, "cp"), turn, err);
    if (rc != IPR_OK)
        return rc;

    turn->ply = (uint16_t)json_integer_value(ply);
    turn->played = (uint8_t)json_integer_value(played);
    turn->legal = (uint8_t)json_integer_value(legal);
    turn->repeated = json_is_true(repeated);
    turn->lines = r->out.judge.multipv < turn->legal ? (uint8_t)r->out.judge.multipv : turn->legal;
    if (turn->n_cp < turn->lines || turn->n_cp > turn->lines + 1 || !ipr_turn_valid(turn))
        return input_error(r, err, IPR_CALIBRATION_FIGURES_FIT);
    return IPR_OK;
}

static enum ipr_code input_check_judge(struct reading *r, const json_t *o, struct ipr_err *err)
{
    const json_t *json = json_object_get(o, "judge");
    struct ipr_judge judge;

    if (r->out.judge_json != NULL && json_equal(r->out.judge_json, json))
        return IPR_OK;
    if (ipr_judge_from_json(json, &judge, NULL) != IPR_OK)
        return input_error(r, err, IPR_CALIBRATION_FIGURES_JUDGE);
    if (r->out.judge_json == NULL) {
        r->out.judge = judge;
        r->out.judge_json = json_deep_copy(json);
        return IPR_OK;
    }
    if (!ipr_judge_same(&r->out.judge, &judge))
        return ipr_err_at(err, IPR_EPARSE, "mixed_judges", r->line, 0, -1, "line %u: %s", r->line,
                          ipr_say_calibration_figures(IPR_CALIBRATION_FIGURES_MIXED_JUDGES));
    return IPR_OK;
}

/* 1, 0.5 or 0; NaN when it is null or absent. */
static bool input_read_result(const json_t *result, double *score)
{
    *score = json_is_number(result) ? json_number_value(result) : NAN;
    if (result == NULL || json_is_null(result))
        return true;
    return *score == 0.0 || *score == 0.5 || *score == 1.0;
}

static enum ipr_code input_read_side(struct reading *r, const json_t *o, struct ipr_err *err)
{
    const json_t *nominal = json_object_get(o, "milepost");
    const json_t *elo = json_object_get(o, "elo");
    const json_t *turns = json_object_get(o, "turns");
    const char *mover = json_string_value(json_object_get(o, "mover"));
    const json_t *year = json_object_get(o, "year");
    struct side side;
    const json_t *t;
    size_t i;

    if (!input_whole_between(json_object_get(o, "game"), 0, INT32_MAX))
        return input_error(r, err, IPR_CALIBRATION_FIGURES_GAME);
    if (!input_whole_between(nominal, ELO_LOW, ELO_HIGH) ||
        !input_whole_between(elo, ELO_LOW, ELO_HIGH))
        return input_error(r, err, IPR_CALIBRATION_FIGURES_RATINGS);
    if (!mover || (strcmp(mover, "w") != 0 && strcmp(mover, "b") != 0) || !json_is_array(turns))
        return input_error(r, err, IPR_CALIBRATION_FIGURES_MOVER);
    if (!input_read_result(json_object_get(o, "result"), &side.score))
        return input_error(r, err, IPR_CALIBRATION_FIGURES_RESULT);
    enum ipr_code rc = input_check_judge(r, o, err);

    side.elo = (double)json_integer_value(elo);
    struct ipr_figures_milepost *m = input_milepost(r, (int)json_integer_value(nominal));
    struct ipr_turn turn = {
        .game = (int32_t)json_integer_value(json_object_get(o, "game")),
        .year = json_is_integer(year) ? (int32_t)json_integer_value(year) : 0,
        .mover = *mover == 'b',
    };
    json_array_foreach(turns, i, t) {
        if (rc == IPR_OK)
            rc = input_read_turn(r, t, &turn, err);
        if (rc == IPR_OK)
            input_append(r, m, turn, side);
    }
    r->out.games++;
    r->out.scored += isnan(side.score) ? 0 : 1;
    return rc;
}

static enum ipr_code input_read_line(struct reading *r, struct ipr_str line, struct ipr_err *err)
{
    json_error_t why;

    if (line.n > LINE_LIMIT)
        return input_error(r, err, IPR_CALIBRATION_FIGURES_LENGTH);
    json_t *o = json_loadb(line.p, line.n, JSON_REJECT_DUPLICATES, &why);
    if (o == NULL)
        return ipr_err_at(err, IPR_EPARSE, "bad_figures", r->line, (uint32_t)why.column, -1,
                          "line %u: %s", r->line, why.text);
    const enum ipr_code rc = input_read_side(r, o, err);
    json_decref(o);
    return rc;
}

static int input_by_nominal(const void *a, const void *b)
{
    const struct ipr_figures_milepost *x = a, *y = b;
    return (x->nominal > y->nominal) - (x->nominal < y->nominal);
}

/* Moves everything read to the arena, so that one release frees it. */
static void input_settle(struct reading *r)
{
    struct ipr_figures_milepost *kept =
        ipr_arena_alloc(r->mem, r->out.n ? r->out.n : 1, sizeof *kept);

    for (size_t i = 0; i < r->out.n; i++) {
        const struct ipr_figures_milepost *m = &r->out.mileposts[i];
        const size_t n = m->n ? m->n : 1;
        kept[i] = *m;
        kept[i].turns = ipr_arena_alloc(r->mem, n, sizeof *m->turns);
        kept[i].elo = ipr_arena_alloc(r->mem, n, sizeof *m->elo);
        kept[i].score = ipr_arena_alloc(r->mem, n, sizeof *m->score);
        if (m->n) {
            memcpy(kept[i].turns, m->turns, m->n * sizeof *m->turns);
            memcpy(kept[i].elo, m->elo, m->n * sizeof *m->elo);
            memcpy(kept[i].score, m->score, m->n * sizeof *m->score);
        }
        free(m->turns);
        free(m->elo);
        free(m->score);
    }
    free(r->out.mileposts);
    free(r->capacity);
    r->out.mileposts = kept;
    qsort(kept, r->out.n, sizeof *kept, input_by_nominal);
}

enum ipr_code ipr_figures_read(struct ipr_str text, struct ipr_arena *mem, struct ipr_figures *out,
                               struct ipr_err *err)
{
    struct reading r = { .mem = mem };
    enum ipr_code rc = IPR_OK;

    while (rc == IPR_OK && text.n > 0) {
        const char *end = memchr(text.p, '\n', text.n);
        struct ipr_str line = { text.p, end != NULL ? (size_t)(end - text.p) : text.n };
        const size_t used = line.n + (end != NULL);

        r.line++;
        text.p += used;
        text.n -= used;
        line = ipr_str_trim(line);
        if (line.n > 0)
            rc = input_read_line(&r, line, err);
    }
    input_settle(&r);
    if (rc == IPR_OK && r.out.n == 0)
        rc = ipr_err_at(err, IPR_EPARSE, "bad_figures", 0, 0, -1, "%s",
                        ipr_say_calibration_figures(IPR_CALIBRATION_FIGURES_NONE));
    if (rc != IPR_OK) {
        json_decref(r.out.judge_json);
        return rc;
    }
    *out = r.out;
    return IPR_OK;
}
