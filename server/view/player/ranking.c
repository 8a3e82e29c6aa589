/* Players by their peaks, from the stored list of careers. */
#include "view/player/ranking.h"

#include <math.h>

#include "db/listed_years.h"
#include "db/lists.h"
#include "model/career.h"

#define THIN_AT_MOST 100 /* players with few moves who are looked at beside those ranked */

/* The first `limit` of the n with so many moves. */
static void ranking_choose(struct ipr_ranking *out, const struct ipr_db_player *row,
                           const struct ipr_path *path, size_t n, size_t limit, size_t moves)
{
    out->moves = moves;
    for (size_t i = 0; i < n && out->n < limit; i++) {
        if (!isfinite(path[i].at_peak.apart) || path[i].peak.rating_short.turns < moves)
            continue;
        out->player[out->n] = &row[i];
        out->path[out->n++] = &path[i];
    }
}

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
    ranking_choose(out, row, path, n, limit, IPR_RANKING_MOVES);
    if (out->n == 0)
        ranking_choose(out, row, path, n, limit, IPR_VIEW_MIN_TURNS);
    return IPR_OK;
}

enum ipr_code ipr_ranking_open(const struct ipr_view_context *c, size_t limit,
                               struct ipr_ranking *out, struct ipr_err *err)
{
    struct ipr_arena *const mem = c->v->mem;
    enum ipr_code rc = IPR_OK;
    int32_t list = 0;

    *out = (struct ipr_ranking){ .complete = true };
    if (c->judge_id != 0)
        rc = ipr_db_year_list_so_far(c->v->db, c->judge_id, c->times, &list, &out->complete, err);
    if (rc == IPR_OK && list != 0)
        rc = ranking_read(c, list, limit, out, err);
    if (rc != IPR_OK)
        return rc;
    double *const mean = ipr_arena_alloc(mem, 4 * out->n + 1, sizeof *mean);
    double *const sd = mean + out->n;

    out->first = sd + out->n;
    out->first_five = out->first + out->n;
    for (size_t i = 0; i < out->n; i++) {
        mean[i] = out->path[i]->at_peak.strength;
        sd[i] = out->path[i]->at_peak.apart;
    }
    ipr_career_ranks(mean, sd, out->n, out->first, out->first_five);
    return IPR_OK;
}
