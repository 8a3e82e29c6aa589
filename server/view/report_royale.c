/*
 * Every active player-year against every other (analysis/model/royale.h).
 *
 * Order of the work: n^2/2 chains for n player-years, at most ENTRANTS of them. Memory: 1.5 KB a
 * player-year of those who take part, 8 n^2 bytes for the table.
 */
#include "view/report.h"

#include <math.h>
#include <stdlib.h>

#include "db/reports.h"
#include "db/turns.h"
#include "model/royale.h"
#include "view/estimate.h"
#include "view/json.h"

#define ENTRANTS 1000
#define BEST     40 /* best years in the table against each other */
#define CELLS    361

struct royale {
    const struct ipr_view_context *context;
    int active; /* turns asked for */
    struct ipr_db_royale_field field;
    struct ipr_db_royale_year *years;
    size_t n;
    double pool[CELLS];
    struct ipr_royale result;
};

static enum ipr_code load(struct royale *r, struct ipr_err *err)
{
    const struct ipr_view_context *c = r->context;
    const struct ipr_view *v = c->v;
    enum ipr_code rc =
        ipr_db_royale_field(v->db, c->judge_id, c->times, r->active, ENTRANTS, &r->field, err);

    if (rc == IPR_OK)
        rc = ipr_db_royale_years(v->db, c->judge_id, c->times, r->field.least, v->mem, &r->years,
                                 &r->n, err);
    if (rc == IPR_OK)
        rc = ipr_db_pool_transitions(v->db, c->judge_id, c->times, r->pool, err);
    return rc;
}

static enum ipr_code play(struct royale *r, struct ipr_err *err)
{
    struct ipr_royale_params params = ipr_royale_default();
    struct ipr_royale_year *years = ipr_xcalloc(r->n + 1, sizeof *years);
    double *counts = ipr_xcalloc(r->n + 1, CELLS * sizeof *counts);

    for (size_t i = 0; i < r->n; i++) {
        for (size_t k = 0; k < CELLS; k++)
            counts[i * CELLS + k] = r->years[i].counts[k];
        years[i] =
            (struct ipr_royale_year){ r->years[i].person, r->years[i].year, &counts[i * CELLS] };
    }
    params.active_turns = r->field.least;
    const enum ipr_code rc = ipr_royale(years, r->n, r->pool, &params, &r->result, err);
    free(counts);
    free(years);
    return rc;
}

static const char *name_of(const struct royale *r, int64_t person)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->years[i].person == person)
            return r->years[i].name;
    return "";
}

static json_t *row_json(const struct royale *r, const struct ipr_royale_row *row)
{
    json_t *out = json_pack("{s:o, s:i, s:I, s:I, s:I, s:I, s:o}", "player",
                            ipr_json_player(row->player, name_of(r, row->player)), "year",
                            (int)row->year, "turns", (json_int_t)row->turns, "wins",
                            (json_int_t)row->wins, "draws", (json_int_t)row->draws, "losses",
                            (json_int_t)row->losses, "expected", ipr_json_num(row->expected));

    json_object_set_new(out, "rank", json_integer((json_int_t)row->rank));
    json_object_set_new(out, "best", json_boolean(row->best));
    json_object_set_new(out, "weight", ipr_json_num(row->weight));
    json_object_set_new(out, "exits_from_top", ipr_json_num(row->exits_top));
    json_object_set_new(out, "empty_rows", json_integer(row->empty_rows));
    return out;
}

static json_t *answer_json(const struct royale *r)
{
    json_t *ranking = json_array();

    for (size_t i = 0; i < r->result.n; i++)
        json_array_append_new(ranking, row_json(r, &r->result.rows[r->result.ranking[i]]));
    return json_pack("{s:o, s:I}", "ranking", ranking, "inactive",
                     (json_int_t)(r->field.years - (int32_t)r->result.n));
}

static enum ipr_code compute(const struct ipr_view_context *c, const json_t *params, json_t **out,
                             struct ipr_err *err)
{
    struct royale r = { .context = c, .active = (int)ipr_json_at(params, "active", 0.0) };
    enum ipr_code rc = load(&r, err);

    ipr_db_snapshot_end(c->v->db);
    if (rc == IPR_OK)
        rc = play(&r, err);
    if (rc == IPR_OK)
        *out = answer_json(&r);
    ipr_royale_release(&r.result);
    return rc;
}

static const struct ipr_report_param params[] = {
    { .name = "active",
      .type = IPR_REPORT_INT,
      .low = IPR_VIEW_MIN_TURNS,
      .high = 100000,
      .fallback = IPR_VIEW_ACTIVE_TURNS },
    { .name = NULL },
};

const struct ipr_report_kind ipr_report_royale = {
    .name = "royale",
    .params = params,
    .compute = compute,
    .version = 1,
};
