/* Players by their peaks, and by their largest rises, from the stored list of careers. */
#include "view/player/ranking.h"

#include <math.h>

#include "db/listed_years.h"
#include "model/career.h"
#include "sentence/sentence.h"
#include "view/certainty.h"
#include "view/wording.h"

#define FASTEST 5 /* rises that the largest is compared with, itself included */

enum ipr_code ipr_ranking_paths(const struct ipr_view_context *c, const struct ipr_db_player *rows,
                                size_t n, struct ipr_path **out, struct ipr_err *err)
{
    int32_t *const persons = ipr_arena_alloc(c->v->mem, n + 1, sizeof *persons);

    for (size_t i = 0; i < n; i++)
        persons[i] = rows[i].id;
    *out = ipr_arena_alloc(c->v->mem, n + 1, sizeof **out);
    return ipr_paths_of(c, persons, n, *out, err);
}

static enum ipr_code ranking_read(const struct ipr_view_context *c, int32_t list,
                                  const struct ipr_db_person_filter *f, const char *sort, int limit,
                                  struct ipr_ranking *out, struct ipr_err *err)
{
    const enum ipr_code rc = ipr_db_rated_person_list(c->v->db, f, list, c->judge_id, sort, 0,
                                                      limit, c->v->mem, &out->player, &out->n, err);

    return rc == IPR_OK ? ipr_ranking_paths(c, out->player, out->n, &out->path, err) : rc;
}

enum ipr_code ipr_ranking_fastest(const struct ipr_view_context *c, int32_t list,
                                  const struct ipr_db_person_filter *f, const char **out,
                                  struct ipr_err *err)
{
    struct ipr_arena *const mem = c->v->mem;
    double mean[FASTEST], sd[FASTEST];
    struct ipr_ranking r = { .n = 0 };
    const enum ipr_code rc = ranking_read(c, list, f, "-rise", FASTEST, &r, err);

    *out = NULL;
    if (rc != IPR_OK || r.n == 0)
        return rc;
    for (size_t i = 0; i < r.n; i++) {
        mean[i] = r.path[i].peak.rise->estimate;
        sd[i] = r.path[i].peak.rise->standard_error;
    }
    const struct ipr_figure_player_rise *const rise = r.path[0].peak.rise;
    const double p = ipr_career_best(mean, sd, r.n, 0);
    const struct ipr_player_fastest_slots slots = {
        .who = ipr_wording_surname(r.player[0].name, false, mem),
        .rise = rise->estimate,
        .rises = rise->interval,
        .from = ipr_arena_printf(mem, "%zu", rise->from),
        .to = ipr_arena_printf(mem, "%zu", rise->to),
        .probability = p,
    };

    *out =
        ipr_say_player_fastest(r.n > 1 && ipr_certainty_word(p) != NULL ? IPR_PLAYER_FASTEST_LIKELY
                                                                        : IPR_PLAYER_FASTEST_OPEN,
                               &slots, mem);
    return IPR_OK;
}

/* Those of enough moves, or, where there are none, of fewer. */
static enum ipr_code ranking_fill(const struct ipr_view_context *c, int32_t list, int limit,
                                  struct ipr_ranking *out, struct ipr_err *err)
{
    struct ipr_db_person_filter f = { .moves_from = IPR_RANKING_MOVES };
    enum ipr_code rc = ranking_read(c, list, &f, "-rating", limit, out, err);

    if (rc == IPR_OK && out->n == 0) {
        f.moves_from = IPR_VIEW_MIN_TURNS;
        rc = ranking_read(c, list, &f, "-rating", limit, out, err);
    }
    out->moves = f.moves_from;
    return rc == IPR_OK ? ipr_ranking_fastest(c, list, &f, &out->fastest, err) : rc;
}

enum ipr_code ipr_ranking_open(const struct ipr_view_context *c, int limit, struct ipr_ranking *out,
                               struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    int32_t list = 0;

    *out = (struct ipr_ranking){ .complete = true };
    if (c->judge_id != 0)
        rc = ipr_db_year_list_so_far(c->v->db, c->judge_id, c->times, c->v->for_its_time, &list,
                                     &out->complete, err);
    if (rc == IPR_OK && list != 0)
        rc = ranking_fill(c, list, limit, out, err);
    if (rc != IPR_OK)
        return rc;
    double *const mean = ipr_arena_alloc(c->v->mem, 4 * out->n + 1, sizeof *mean);
    double *const sd = mean + out->n;

    out->first = sd + out->n;
    out->first_five = out->first + out->n;
    for (size_t i = 0; i < out->n; i++) {
        mean[i] = out->path[i].at_peak.strength;
        sd[i] = out->path[i].at_peak.apart;
    }
    ipr_career_ranks(mean, sd, out->n, out->first, out->first_five);
    return IPR_OK;
}
