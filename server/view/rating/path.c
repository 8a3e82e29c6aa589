#include "view/rating/path.h"

#include <math.h>
#include <stdlib.h>

#include "db/listed_years.h"
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

static void path_add_peak(const struct ipr_scale *scale, struct ipr_arena *mem,
                          struct ipr_path *out)
{
    const struct ipr_trajectory_peak p = ipr_trajectory_peak(out->of);
    const struct ipr_trajectory_change by = p.rise.by;
    struct ipr_figure_rating_short *const r = &out->peak.rating_short;

    r->estimate = p.at.mean;
    r->standard_error = (p.at.hi - p.at.lo) / 2 / IPR_Z95;
    r->interval = (struct ipr_interval){ p.at.lo, p.at.hi };
    r->extrapolated = !ipr_scale_holds(scale, p.at.mean);
    if (p.years.from > 0) {
        out->peak.from = (size_t)p.years.from;
        out->peak.to = (size_t)p.years.to;
    }
    if (isfinite(by.mean)) {
        struct ipr_figure_player_rise *const rise = ipr_shape_new(IPR_SHAPE_PLAYER_RISE, mem);

        *rise = (struct ipr_figure_player_rise){
            .from = (size_t)p.rise.from,
            .to = (size_t)p.rise.to,
            .estimate = by.mean,
            .standard_error = by.sd,
            .interval = { by.mean - IPR_Z95 * by.sd, by.mean + IPR_Z95 * by.sd },
        };
        out->peak.rise = rise;
    }
}

static void path_add_years(struct ipr_arena *mem, struct ipr_path *out)
{
    bool *const carried = ipr_arena_alloc(mem, out->of->n, sizeof *carried);

    ipr_trajectory_carried(out->of, carried);
    out->n = out->of->first > 0 ? out->of->n : 0;
    out->year = ipr_shape_list(IPR_SHAPE_PATH_YEAR, out->n, mem);
    for (size_t i = 0; i < out->n; i++) {
        const struct ipr_trajectory_point *const p = &out->of->point[i];

        out->year[i].year = (size_t)out->of->first + i;
        out->year[i].estimate = p->mean;
        out->year[i].interval = (struct ipr_interval){ p->lo, p->hi };
        out->year[i].carried = carried[i];
    }
}

static void path_fill(const struct ipr_view_context *c, int32_t person,
                      const struct ipr_db_person_year *year, size_t n, struct ipr_path *out)
{
    struct ipr_strength_calibration *const calibration =
        ipr_arena_alloc(c->v->mem, 1, sizeof *calibration);
    struct ipr_db_strength sums = { 0 };
    struct ipr_trajectory t;

    *out = (struct ipr_path){ .person = person, .by_file = ipr_strength_is_by_file(c) };
    ipr_shape_blank(IPR_SHAPE_PLAYER_PEAK, &out->peak);
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
    if (!ipr_trajectory_of_stored(scale, year, n, calibration, &t))
        return;
    if (c->v->for_its_time)
        ipr_trajectory_for_its_time(&t);
    out->of = ipr_trajectory_keep(&t, c->v->mem);
    path_add_years(c->v->mem, out);
    path_add_peak(scale, c->v->mem, out);
}

void ipr_path_add_within(struct ipr_path *p, struct ipr_arena *mem)
{
    if (p->n == 0)
        return;
    const struct ipr_trajectory_span within = ipr_trajectory_peak_within(p->of);

    p->peak.within = ipr_shape_new(IPR_SHAPE_PEAK_WITHIN, mem);
    *p->peak.within =
        (struct ipr_figure_peak_within){ (size_t)within.from, (size_t)within.to, .95 };
}

enum ipr_code ipr_paths_of(const struct ipr_view_context *c, const int32_t *persons, size_t n,
                           struct ipr_path *out, struct ipr_err *err)
{
    struct place *const place = ipr_arena_alloc(c->v->mem, n + 1, sizeof *place);
    struct ipr_db_person_year *year = NULL;
    size_t n_years = 0, first = 0;

    const enum ipr_code rc = ipr_db_strength_of_persons(
        c->v->db, persons, n, c->times, ipr_strength_is_by_file(c) ? -1 : 1, IPR_DB_LIST_VERSION,
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
        path_fill(c, place[i].person, &year[first], last - first, &out[place[i].at]);
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

struct ipr_list_path_year ipr_path_years(const struct ipr_path *p, int from, int to)
{
    static struct ipr_figure_path_year none;
    struct ipr_list_path_year out = { p->n > 0 ? p->year : &none, 0 };

    for (size_t i = 0; i < p->n; i++) {
        out.at += (int)p->year[i].year < from;
        out.n += (int)p->year[i].year >= from && (to == 0 || (int)p->year[i].year <= to);
    }
    return out;
}

json_t *ipr_path_json(const struct ipr_path *p)
{
    json_t *out = json_array();

    for (size_t i = 0; i < p->n; i++)
        json_array_append_new(out, ipr_shape_json(IPR_SHAPE_PATH_YEAR, &p->year[i]));
    return out;
}

/* ---- parts ---- */

struct ipr_path_part ipr_path_in(const struct ipr_path *p, int from, int to)
{
    struct ipr_path_part out = { p,
                                 { from, to > 0 ? to : INT32_MAX },
                                 { NAN, NAN, NAN, NAN, NAN } };

    if (p->of != NULL)
        out.at = ipr_trajectory_mean(p->of, out.years);
    return out;
}

struct ipr_path_part ipr_path_at_peak(const struct ipr_path *p)
{
    return p->peak.from == IPR_UNKNOWN ? ipr_path_in(p, 0, 0)
                                       : ipr_path_in(p, (int)p->peak.from, (int)p->peak.to);
}

struct ipr_trajectory_change ipr_path_difference(const struct ipr_path_part *a,
                                                 const struct ipr_path_part *b)
{
    if (a->path->person == b->path->person && a->path->of != NULL && b->path->of != NULL)
        return ipr_trajectory_change(a->path->of, b->years, a->years);
    return (struct ipr_trajectory_change){ a->at.mean - b->at.mean,
                                           hypot(a->at.apart, b->at.apart) };
}

double ipr_path_probability(struct ipr_trajectory_change difference)
{
    return difference.sd > 0 ? .5 * erfc(-difference.mean / difference.sd / sqrt(2.)) : .5;
}
