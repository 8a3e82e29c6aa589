/* Players by their peaks, from the stored list of careers. */
#include "view/player/ranking.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/listed_years.h"
#include "db/lists.h"

#define THIN_AT_MOST 100 /* players with few moves who are looked at beside those ranked */
#define DRAWS        4000
#define FIVE         5

/* ---- chances ---- */

static int strength_order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x < y) - (x > y);
}

/* Peaks vary by their errors, independently; seed 1, so that the same games give the same chances.
 */
static void ranking_find_chances(struct ipr_ranking *r, struct ipr_arena *mem)
{
    double *const strength = ipr_arena_alloc(mem, r->n + 1, sizeof *strength);
    double *const sorted = ipr_arena_alloc(mem, r->n + 1, sizeof *sorted);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);

    r->first = ipr_arena_alloc(mem, r->n + 1, sizeof *r->first);
    r->first_five = ipr_arena_alloc(mem, r->n + 1, sizeof *r->first_five);
    memset(r->first, 0, r->n * sizeof *r->first);
    memset(r->first_five, 0, r->n * sizeof *r->first_five);
    gsl_rng_set(rng, 1);
    for (int k = 0; k < DRAWS && r->n > 0; k++) {
        for (size_t i = 0; i < r->n; i++)
            strength[i] = r->path[i]->peak.rating_short.estimate +
                          gsl_ran_gaussian_ziggurat(rng, r->path[i]->at_peak.apart);
        memcpy(sorted, strength, r->n * sizeof *sorted);
        qsort(sorted, r->n, sizeof *sorted, strength_order);
        for (size_t i = 0; i < r->n; i++) {
            r->first[i] += strength[i] >= sorted[0];
            r->first_five[i] += strength[i] >= sorted[r->n < FIVE ? r->n - 1 : FIVE - 1];
        }
    }
    for (size_t i = 0; i < r->n; i++) {
        r->first[i] /= DRAWS;
        r->first_five[i] /= DRAWS;
    }
    gsl_rng_free(rng);
}

/* ---- players ---- */

static enum ipr_code ranking_read(const struct ipr_view_context *c, int32_t list, size_t limit,
                                  struct ipr_ranking *out, struct ipr_err *err)
{
    const struct ipr_db_person_filter all = { 0 };
    struct ipr_arena *const mem = c->v->mem;
    struct ipr_db_player *row = NULL;
    size_t n = 0;

    enum ipr_code rc = ipr_db_rated_person_list(c->v->db, &all, c->judge_id, list, "-rating", 0,
                                                (int)limit + THIN_AT_MOST, mem, &row, &n, err);
    if (rc != IPR_OK)
        return rc;
    struct ipr_path *const path = ipr_arena_alloc(mem, n + 1, sizeof *path);
    int32_t *const person = ipr_arena_alloc(mem, n + 1, sizeof *person);

    for (size_t i = 0; i < n; i++)
        person[i] = row[i].id;
    rc = ipr_paths_of(c, person, n, path, err);
    if (rc != IPR_OK)
        return rc;
    out->player = ipr_arena_alloc(mem, n + 1, sizeof(struct ipr_db_player *));
    out->path = ipr_arena_alloc(mem, n + 1, sizeof(struct ipr_path *));
    for (size_t i = 0; i < n && out->n < limit; i++) {
        if (!isfinite(path[i].at_peak.apart))
            continue;
        if (path[i].peak.rating_short.turns < IPR_RANKING_MOVES) {
            out->thin++;
            continue;
        }
        out->player[out->n] = &row[i];
        out->path[out->n++] = &path[i];
    }
    return IPR_OK;
}

enum ipr_code ipr_ranking_open(const struct ipr_view_context *c, size_t limit,
                               struct ipr_ranking *out, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    int32_t list = 0;

    *out = (struct ipr_ranking){ .complete = true };
    if (c->judge_id != 0)
        rc = ipr_db_year_list_so_far(c->v->db, c->judge_id, c->times, &list, &out->complete, err);
    if (rc == IPR_OK && list != 0)
        rc = ranking_read(c, list, limit, out, err);
    if (rc == IPR_OK)
        ranking_find_chances(out, c->v->mem);
    return rc;
}
