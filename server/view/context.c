#include "view/context.h"

#include "core/judge_json.h"
#include "sentence/sentence.h"
#include "view/json.h"

const char *ipr_view_judge_text(const struct ipr_judge *judge, struct ipr_arena *mem)
{
    char limit[IPR_LIMIT_TEXT_MAX];

    ipr_judge_limit_text(judge, limit);
    return ipr_arena_printf(mem, "%s, %s, %d lines", judge->engine, limit, judge->multipv);
}

void ipr_view_context_close(struct ipr_view_context *c)
{
    ipr_calibration_release(&c->calibration);
    ipr_calibration_release(&c->neighbour);
}

static struct ipr_figure_calibration *context_calibration(const struct ipr_view_context *c);

void ipr_view_context_basis(const struct ipr_view_context *c,
                            struct ipr_answer_basis_of_figures *out)
{
    *out = (struct ipr_answer_basis_of_figures){
        .judge = ipr_view_context_setting(c),
        .calibration = context_calibration(c),
        .time_classes = ipr_view_context_classes(c),
        .pool = c->pool->name,
    };
}

void ipr_view_context_add_basis(const struct ipr_view_context *c, json_t *out)
{
    struct ipr_answer_basis_of_figures basis;

    ipr_view_context_basis(c, &basis);
    json_object_update_new(out, ipr_shape_json(IPR_SHAPE_BASIS_OF_FIGURES, &basis));
}

static const char *judge_known(const char *text)
{
    return *text != '\0' ? text : NULL;
}

struct ipr_figure_judge *ipr_view_judge_of(const struct ipr_judge *judge, int32_t id,
                                           struct ipr_arena *mem)
{
    struct ipr_figure_judge *const out = ipr_shape_new(IPR_SHAPE_JUDGE, mem);

    if (id != 0)
        out->id = (size_t)id;
    out->name = judge_known(judge->name);
    out->engine = judge->engine;
    out->network = judge->network;
    out->multipv = judge->multipv;
    out->limit = ipr_shape_new(IPR_SHAPE_LIMIT, mem);
    if (judge->depth > 0)
        out->limit->depth = judge->depth;
    else if (judge->nodes > 0)
        out->limit->nodes = judge->nodes;
    else
        out->limit->adaptive_ms = judge->time_ms;
    out->threads = judge->threads;
    out->hash_mb = judge->hash_mb;
    out->clear = ipr_judge_clear_name(judge->clear);
    out->first_move = judge->first_move;
    if (judge->apart != IPR_APART_SEARCHMOVES)
        out->apart = ipr_judge_apart_name(judge->apart);
    out->options = judge_known(judge->options);
    return out;
}

struct ipr_figure_judge *ipr_view_context_setting(const struct ipr_view_context *c)
{
    return c->judge_id ? ipr_view_judge_of(&c->judge, c->judge_id, c->v->mem) : NULL;
}

json_t *ipr_view_context_judge(const struct ipr_view_context *c)
{
    return c->judge_id ? ipr_shape_json(IPR_SHAPE_JUDGE, ipr_view_context_setting(c)) : json_null();
}

/* The note on a rating computed with another judge's line. */
static void add_mismatch(const struct ipr_view_context *c, struct ipr_figure_calibration *out)
{
    const struct ipr_judge *of = &c->calibration->judge;
    const struct ipr_figure_judge *const whole = ipr_view_judge_of(of, 0, c->v->mem);

    out->calibration_mismatch = true;
    out->calibration_judge = ipr_shape_new(IPR_SHAPE_JUDGE, c->v->mem);
    out->calibration_judge->name = whole->name;
    out->calibration_judge->engine = whole->engine;
    out->calibration_judge->multipv = whole->multipv;
    out->calibration_judge->limit = whole->limit;
    const struct ipr_reason_mismatch_slots slots = {
        ipr_view_judge_text(of, c->v->mem), ipr_view_judge_text(&c->judge, c->v->mem),
        ipr_view_judge_text(&c->calibration->reference_judge, c->v->mem)
    };
    out->note = ipr_say_reason_mismatch(IPR_REASON_MISMATCH_ALL, &slots, c->v->mem);
}

static struct ipr_figure_calibration *context_calibration(const struct ipr_view_context *c)
{
    struct ipr_figure_calibration *const out = ipr_shape_new(IPR_SHAPE_CALIBRATION, c->v->mem);

    if (!c->calibration_id)
        return NULL;
    out->name = c->calibration_name;
    out->digest = c->calibration_digest;
    if (c->calibration == NULL)
        return out;
    out->elo_range.low = c->calibration->line.elo_min;
    out->elo_range.high = c->calibration->line.elo_max;
    if (c->mismatch)
        add_mismatch(c, out);
    return out;
}

json_t *ipr_view_context_calibration(const struct ipr_view_context *c)
{
    const struct ipr_figure_calibration *const of = context_calibration(c);

    return of != NULL ? ipr_shape_json(IPR_SHAPE_CALIBRATION, of) : json_null();
}

/* From slow to fast, unknown last. */
static const enum ipr_time_class times_in_order[] = {
    IPR_TIME_CLASSICAL,        IPR_TIME_RAPID,          IPR_TIME_BLITZ,
    IPR_TIME_BULLET,           IPR_TIME_CORRESPONDENCE, IPR_TIME_UNKNOWN,
    IPR_TIME_ONLINE_CLASSICAL, IPR_TIME_ONLINE_RAPID,   IPR_TIME_ONLINE_BLITZ,
    IPR_TIME_ONLINE_BULLET,    IPR_TIME_ONLINE_UNKNOWN,
};

struct ipr_list_text ipr_view_context_classes(const struct ipr_view_context *c)
{
    struct ipr_list_text out = { ipr_arena_alloc(c->v->mem, IPR_TIME_CLASSES, sizeof *out.at), 0 };

    for (size_t i = 0; i < IPR_TIME_CLASSES; i++)
        if (c->times & IPR_TIME_BIT(times_in_order[i]))
            out.at[out.n++] = ipr_time_class_name(times_in_order[i]);
    return out;
}

json_t *ipr_view_context_times(const struct ipr_view_context *c)
{
    const struct ipr_list_text names = ipr_view_context_classes(c);
    json_t *out = json_array();

    for (size_t i = 0; i < names.n; i++)
        json_array_append_new(out, json_string(names.at[i]));
    return out;
}

struct ipr_figure_counts ipr_view_context_not_rated(const struct ipr_view_context *c,
                                                    const int32_t in_class[IPR_TIME_CLASSES])
{
    struct ipr_figure_counts out = { .known = true };
    size_t n = 0;

    for (size_t i = 0; i < IPR_TIME_CLASSES; i++) {
        const enum ipr_time_class class = times_in_order[i];

        if (!(c->times & IPR_TIME_BIT(class)) && in_class[class] > 0) {
            out.of[n].name = ipr_time_class_name(class);
            out.of[n++].n = (size_t)in_class[class];
        }
    }
    return out;
}

json_t *ipr_view_context_unrated(const struct ipr_view_context *c,
                                 const struct ipr_db_player_year *y)
{
    const struct ipr_figure_counts counts = ipr_view_context_not_rated(c, y->in_class);

    return ipr_shape_counts(&counts);
}

/* The sum of all years and of the undated games. */
static enum ipr_code career_row(const struct ipr_view_context *c, int32_t player,
                                const struct ipr_db_player_year *rows, size_t n,
                                struct ipr_db_player_year *out, struct ipr_err *err)
{
    struct ipr_db_player p;

    const enum ipr_code rc =
        ipr_db_player_get(c->v->db, player, c->judge_id, c->times, c->v->mem, &p, err);
    if (rc != IPR_OK)
        return rc;
    *out = (struct ipr_db_player_year){
        .player_id = player, .name = p.name, .turns = (int32_t)p.turns, .version = p.version
    };
    for (size_t i = 0; i < n; i++) {
        out->games += rows[i].games;
        for (int k = 0; k < IPR_TIME_CLASSES; k++)
            out->in_class[k] += rows[i].in_class[k];
        out->games_judged += rows[i].games_judged;
        out->counted += rows[i].counted;
        out->at_0 += rows[i].at_0;
        out->at_30 += rows[i].at_30;
    }
    return IPR_OK;
}

void ipr_view_years(int year, int first, int last, int *from, int *to)
{
    *from = year != 0 ? year : first;
    *to = year != 0 ? year : last;
}

enum ipr_code ipr_view_find_year(const struct ipr_view_context *c, int32_t player, int year,
                                 struct ipr_db_player_year *out, struct ipr_err *err)
{
    struct ipr_db_player_year *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc =
        ipr_db_player_years(c->v->db, player, c->judge_id, c->times, c->v->mem, &rows, &n, err);
    if (rc != IPR_OK)
        return rc;
    if (year == 0)
        return career_row(c, player, rows, n, out, err);
    for (size_t i = 0; i < n; i++)
        if (rows[i].year == year) {
            *out = rows[i];
            return IPR_OK;
        }
    return ipr_err_set(err, IPR_ENOTFOUND, "no games of player %d in %d", player, year);
}
