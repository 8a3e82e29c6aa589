#include "view/figure/figure.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

#include "db/results.h"
#include "model/strength_shipped.h"
#include "view/json.h"

static const struct {
    const char *name;
    int version;
} methods[IPR_METHODS] = {
    IPR_METHOD_ROWS,
};

const char *ipr_method_name(enum ipr_method m)
{
    return methods[m].name;
}

static int hash_method_versions(void)
{
    uint32_t hash = ipr_shapes_digest();

    for (int m = 0; m < IPR_METHODS; m++) {
        char version[40];

        snprintf(version, sizeof version, "%s %d", methods[m].name, methods[m].version);
        hash = ipr_shape_hash(hash, version);
    }
    return (int)(hash & INT32_MAX);
}

int ipr_method_versions(void)
{
    static atomic_int versions; /* called for every request and every row of a list */

    if (versions == 0)
        versions = hash_method_versions();
    return versions;
}

/* ---- provenance ---- */

static struct ipr_figure_window *window_of(const struct ipr_window *w, struct ipr_arena *mem)
{
    if (w == NULL)
        return NULL;
    const struct ipr_figure_window out = {
        .first_move = w->first_move,
        .limit_pawns = ipr_number_if(w->limit_cp != 0, w->limit_cp / 100.0),
        .drop_forced = w->drop_forced,
        .drop_repeated = w->drop_repeated,
        .top = ipr_count_if(w->top != 0, w->top),
    };
    return ipr_shape_copy(IPR_SHAPE_WINDOW, &out, mem);
}

struct ipr_figure_provenance ipr_figure_provenance(const struct ipr_provenance *from)
{
    const struct ipr_view_context *c = from->context;
    const bool calibrated = from->calibrated && c->calibration != NULL;

    return (struct ipr_figure_provenance){
        .method = ipr_method_name(from->method),
        .method_version = (size_t)methods[from->method].version,
        .judge = ipr_count_if(c->judge_id > 0, (size_t)c->judge_id),
        .calibration = calibrated ? c->calibration_name : NULL,
        .window = window_of(from->window, c->v->mem),
        .iterations = from->iterations,
        .converged = from->converged,
        .calibration_mismatch = calibrated && c->mismatch ? 1 : -1,
    };
}

struct ipr_figure_counts ipr_figure_excluded(const struct ipr_window_counts *counts)
{
    struct ipr_figure_counts out = { .known = true };

    for (int i = 0; counts != NULL && i < IPR_EXCLUDED_REASONS; i++) {
        out.of[i].name = ipr_excluded_name((enum ipr_excluded)i);
        out.of[i].n = counts->excluded[i];
    }
    return out;
}

struct ipr_figure_group ipr_figure_group(const struct ipr_provenance *from, const char *reason)
{
    struct ipr_figure_group group = {
        .provenance = ipr_figure_provenance(from),
        .basis = { from->turns, from->games, ipr_figure_excluded(from->counts) },
        .reason = reason,
    };

    group.provenance.converged = from->converged && reason == NULL;
    return group;
}

/* ---- estimates ---- */

struct ipr_interval ipr_interval_rounded(struct ipr_interval i)
{
    return (struct ipr_interval){ ipr_json_round(i.lo), ipr_json_round(i.hi) };
}

struct ipr_figure ipr_figure(double estimate, double se, struct ipr_interval interval,
                             const struct ipr_provenance *from)
{
    return (struct ipr_figure){ ipr_figure_group(from, NULL), ipr_json_round(estimate),
                                ipr_json_round(se), ipr_interval_rounded(interval) };
}

struct ipr_figure ipr_figure_none(const struct ipr_provenance *from, const char *reason)
{
    return (struct ipr_figure){ ipr_figure_group(from, reason), NAN, NAN, { NAN, NAN } };
}

enum ipr_code ipr_figure_settle(enum ipr_code rc, const struct ipr_err *why, struct ipr_arena *mem,
                                const char **reason, struct ipr_err *err)
{
    if (rc == IPR_EDATA || rc == IPR_ENOCONV) {
        *reason = ipr_arena_printf(mem, "%s", why->msg);
        return IPR_OK;
    }
    return rc == IPR_OK ? rc : ipr_err_set(err, rc, "%s", why->msg);
}

struct ipr_interval ipr_interval_if(bool known, struct ipr_interval i)
{
    return known ? i : (struct ipr_interval){ NAN, NAN };
}

double ipr_number_if(bool known, double x)
{
    return known ? x : NAN;
}

double ipr_number_or(double given, double otherwise)
{
    return isfinite(given) ? given : otherwise;
}

size_t ipr_count_if(bool known, size_t n)
{
    return known ? n : IPR_UNKNOWN;
}

bool ipr_range_holds(struct ipr_figure_range r, double x)
{
    return x >= r.low && x <= r.high;
}

struct ipr_figure_range ipr_range_bound(struct ipr_figure_range r, double x)
{
    return (struct ipr_figure_range){ ipr_number_if(x > r.high, r.high),
                                      ipr_number_if(x < r.low, r.low) };
}

const char *ipr_range_censored(struct ipr_figure_range bound)
{
    if (isfinite(bound.low))
        return "above";
    return isfinite(bound.high) ? "below" : NULL;
}

struct ipr_interval ipr_range_interval(struct ipr_figure_range r, struct ipr_interval i)
{
    return (struct ipr_interval){ ipr_number_if(!(i.lo < r.low), fmin(i.lo, r.high)),
                                  ipr_number_if(!(i.hi > r.high), fmax(i.hi, r.low)) };
}
