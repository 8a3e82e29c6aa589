#include "view/rating/path.h"

#include <math.h>
#include <stdlib.h>

#include "view/rating/rate.h"

/* Persons ascending, as the query has them. */
struct place {
    int32_t person;
    size_t at;
};

static int place_order(const void *a, const void *b)
{
    const struct place *const x = a, *const y = b;

    return (x->person > y->person) - (x->person < y->person);
}

static void path_add_peak(const struct ipr_scale *scale, const struct ipr_trajectory *t,
                          struct ipr_arena *mem, struct ipr_path *out)
{
    const struct ipr_trajectory_peak p = ipr_trajectory_peak(t);
    struct ipr_figure_rating_short *const r = &out->peak.rating_short;

    r->estimate = p.at.mean;
    r->standard_error = (p.at.hi - p.at.lo) / 2 / IPR_Z95;
    r->interval = (struct ipr_interval){ p.at.lo, p.at.hi };
    r->extrapolated = !ipr_scale_holds(scale, p.at.mean);
    out->at_peak = (struct ipr_path_level){ p.at.mean, p.at.sd, p.at.apart };
    if (p.from > 0) {
        out->peak.from = (size_t)p.from;
        out->peak.to = (size_t)p.to;
    }
    if (isfinite(p.rise.mean)) {
        struct ipr_figure_player_rise *const rise = ipr_shape_new(IPR_SHAPE_PLAYER_RISE, mem);

        *rise = (struct ipr_figure_player_rise){
            .from = (size_t)p.rise.from,
            .to = (size_t)p.rise.to,
            .estimate = p.rise.mean,
            .standard_error = p.rise.sd,
            .interval = { p.rise.mean - IPR_Z95 * p.rise.sd, p.rise.mean + IPR_Z95 * p.rise.sd },
        };
        out->peak.rise = rise;
    }
}

static void path_fill(const struct ipr_view_context *c, const struct ipr_db_person_year *year,
                      size_t n, struct ipr_path *out)
{
    struct ipr_strength_calibration calibration;
    struct ipr_db_strength sums = { 0 };
    struct ipr_trajectory t;

    ipr_shape_blank(IPR_SHAPE_PLAYER_PEAK, &out->peak);
    out->at_peak = (struct ipr_path_level){ NAN, NAN, NAN };
    out->n = 0;
    out->by_file = ipr_strength_is_by_file(c);
    for (size_t i = 0; i < n; i++) {
        sums.moves += year[i].of.moves;
        sums.games += year[i].of.games;
        sums.classes |= year[i].of.classes;
        sums.judge_id = year[i].of.judge_id;
        sums.score += year[i].of.score;
        sums.information += year[i].of.information;
    }
    const struct ipr_pool *const pool = ipr_setting_pool(c, sums.classes);
    const struct ipr_scale *const scale = ipr_strength_is_by_file(c) ? &pool->files : &pool->moves;

    out->peak.rating_short =
        ipr_strength_shorten(ipr_scale_figure(c, scale, &sums)); /* pool, moves, games, reason */
    if (!ipr_trajectory_of_stored(scale, year, n, &calibration, &t))
        return;
    if (c->v->for_its_time)
        ipr_trajectory_for_its_time(&t);
    out->n = t.first > 0 ? t.n : 0;
    out->year = ipr_shape_list(IPR_SHAPE_PATH_YEAR, out->n, c->v->mem);
    out->at_year = ipr_arena_alloc(c->v->mem, out->n + 1, sizeof *out->at_year);
    for (size_t i = 0; i < out->n; i++) {
        const struct ipr_trajectory_point *const p = &t.point[i];

        out->year[i].year = (size_t)t.first + i;
        out->year[i].estimate = p->mean;
        out->year[i].interval = (struct ipr_interval){ p->lo, p->hi };
        out->at_year[i] = (struct ipr_path_level){ p->mean, p->sd, p->apart };
    }
    path_add_peak(scale, &t, c->v->mem, out);
    ipr_trajectory_release(&t);
}

enum ipr_code ipr_paths_of(const struct ipr_view_context *c, const int32_t *persons, size_t n,
                           struct ipr_path *out, struct ipr_err *err)
{
    struct place *const place = ipr_arena_alloc(c->v->mem, n + 1, sizeof *place);
    struct ipr_db_person_year *year = NULL;
    size_t n_years = 0, first = 0;

    const enum ipr_code rc = ipr_db_strength_of_persons(
        c->v->db, persons, n, c->times, ipr_strength_is_by_file(c) ? -1 : 1, IPR_STRENGTH_VERSION,
        c->v->mem, &year, &n_years, err);
    if (rc != IPR_OK)
        return rc;
    for (size_t i = 0; i < n; i++)
        place[i] = (struct place){ persons[i], i };
    qsort(place, n, sizeof *place, place_order);
    for (size_t i = 0; i < n; i++) {
        size_t last = first;

        while (last < n_years && year[last].person == place[i].person)
            last++;
        path_fill(c, &year[first], last - first, &out[place[i].at]);
        if (i + 1 == n || place[i + 1].person != place[i].person)
            first = last;
    }
    return IPR_OK;
}

size_t ipr_path_find(const struct ipr_path *p, int year)
{
    size_t i = 0;

    while (i < p->n && p->year[i].year != (size_t)year)
        i++;
    return i;
}

json_t *ipr_path_json(const struct ipr_path *p)
{
    json_t *out = json_array();

    for (size_t i = 0; i < p->n; i++)
        json_array_append_new(out, ipr_shape_json(IPR_SHAPE_PATH_YEAR, &p->year[i]));
    return out;
}
