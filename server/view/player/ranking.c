/* Players by their peaks, and by their largest rises, from the stored list of careers. */
#include "view/player/ranking.h"

#include <math.h>

#include "db/listed_years.h"
#include "model/career.h"
#include "sentence/sentence.h"
#include "view/certainty.h"
#include "view/figure/figure.h"
#include "view/wording.h"

#define RISES 100 /* that the largest is compared with, itself included */

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

/* ---- rises ---- */

enum ipr_code ipr_ranking_fastest(const struct ipr_view_context *c, int32_t list,
                                  const struct ipr_db_person_filter *f, const char **out,
                                  struct ipr_err *err)
{
    double mean[RISES], sd[RISES], first[RISES], five[RISES];
    struct ipr_arena *const mem = c->v->mem;
    struct ipr_ranking r = { .n = 0 };
    const enum ipr_code rc = ranking_read(c, list, f, "-rise", RISES, &r, err);

    *out = NULL;
    if (rc != IPR_OK || r.n == 0)
        return rc;
    for (size_t i = 0; i < r.n; i++) {
        mean[i] = r.path[i].peak.rise->estimate;
        sd[i] = r.path[i].peak.rise->standard_error;
    }
    ipr_career_ranks(mean, sd, r.n, first, five);
    const struct ipr_figure_player_rise *const rise = r.path[0].peak.rise;
    const struct ipr_player_fastest_slots slots = {
        .who = ipr_wording_surname(r.player[0].name, false, mem),
        .rise = rise->estimate,
        .from = ipr_arena_printf(mem, "%zu", rise->from),
        .to = ipr_arena_printf(mem, "%zu", rise->to),
        .n = ipr_number_if(r.n > 1, (double)r.n),
        .probability = first[0],
    };

    *out = ipr_say_player_fastest(IPR_PLAYER_FASTEST_SAID, &slots, mem);
    return IPR_OK;
}

/* ---- peaks ---- */

static void ranking_add_chances(const struct ipr_view_context *c, struct ipr_ranking *r)
{
    double *const mean = ipr_arena_alloc(c->v->mem, 4 * r->n + 1, sizeof *mean);
    double *const sd = mean + r->n;

    r->first = sd + r->n;
    r->first_five = r->first + r->n;
    for (size_t i = 0; i < r->n; i++) {
        const struct ipr_path_part at = ipr_path_at_peak(&r->path[i]);

        mean[i] = at.at.mean;
        sd[i] = at.at.apart;
    }
    ipr_career_ranks(mean, sd, r->n, r->first, r->first_five);
}

enum ipr_code ipr_ranking_of_some(const struct ipr_view_context *c, int32_t list,
                                  const struct ipr_db_person_filter *f, struct ipr_ranking *out,
                                  struct ipr_err *err)
{
    *out = (struct ipr_ranking){ .complete = true, .moves = f->moves_from };
    const enum ipr_code rc = ranking_read(c, list, f, "-rating", IPR_RANKING_MOST, out, err);

    if (rc == IPR_OK)
        ranking_add_chances(c, out);
    return rc;
}

/* Those of enough moves, or, where there are none, of fewer. */
enum ipr_code ipr_ranking_of_list(const struct ipr_view_context *c, int32_t list,
                                  struct ipr_ranking *out, struct ipr_err *err)
{
    struct ipr_db_person_filter f = { .moves_from = IPR_RANKING_MOVES };
    enum ipr_code rc = ipr_ranking_of_some(c, list, &f, out, err);

    if (rc == IPR_OK && out->n == 0) {
        f.moves_from = IPR_VIEW_MIN_TURNS;
        rc = ipr_ranking_of_some(c, list, &f, out, err);
    }
    return rc == IPR_OK ? ipr_ranking_fastest(c, list, &f, &out->fastest, err) : rc;
}

enum ipr_code ipr_ranking_open(const struct ipr_view_context *c, struct ipr_ranking *out,
                               struct ipr_err *err)
{
    bool complete = true;
    enum ipr_code rc = IPR_OK;
    int32_t list = 0;

    *out = (struct ipr_ranking){ .moves = IPR_RANKING_MOVES };
    if (c->judge_id != 0)
        rc = ipr_db_year_list_so_far(c->v->db, c->judge_id, c->times, c->v->for_its_time, &list,
                                     &complete, err);
    if (rc == IPR_OK && list != 0)
        rc = ipr_ranking_of_list(c, list, out, err);
    out->complete = complete;
    return rc;
}

static int64_t ranking_moves(const struct ipr_path *p)
{
    const size_t moves = p->peak.rating_short.turns;

    return moves == IPR_UNKNOWN ? 0 : (int64_t)moves;
}

struct ipr_ranking ipr_ranking_of_rows(const struct ipr_view_context *c,
                                       const struct ipr_db_player *rows,
                                       const struct ipr_path *path, size_t n)
{
    struct ipr_ranking r = { .complete = true };
    int64_t least = 0; /* those of few moves are not compared with others */

    for (size_t i = 0; i < n; i++)
        if (ranking_moves(&path[i]) >= IPR_RANKING_MOVES)
            least = IPR_RANKING_MOVES;
    r.player = ipr_arena_alloc(c->v->mem, n + 1, sizeof *r.player);
    r.path = ipr_arena_alloc(c->v->mem, n + 1, sizeof *r.path);
    for (size_t i = 0; i < n; i++) {
        size_t at = r.n;

        if (!isfinite(path[i].peak.rating_short.estimate) || ranking_moves(&path[i]) < least)
            continue;
        for (; at > 0 &&
               r.path[at - 1].peak.rating_short.estimate < path[i].peak.rating_short.estimate;
             at--) {
            r.path[at] = r.path[at - 1];
            r.player[at] = r.player[at - 1];
        }
        r.path[at] = path[i];
        r.player[at] = rows[i];
        r.n++;
    }
    ranking_add_chances(c, &r);
    return r;
}

size_t ipr_ranking_find(const struct ipr_ranking *r, int32_t player)
{
    size_t i = 0;

    while (i < r->n && r->player[i].id != player)
        i++;
    return i;
}

const char *ipr_ranking_finding(const struct ipr_ranking *r, bool some, struct ipr_arena *mem)
{
    if (r->n == 0)
        return NULL;
    const struct ipr_player_first_slots slots = {
        .who = ipr_wording_surname(r->player[0].name, false, mem),
        .estimate = r->path[0].peak.rating_short.estimate,
        .probability = r->first[0],
        .n = (double)r->n,
        .some = some,
    };

    if (r->n == 1)
        return ipr_say_player_first(IPR_PLAYER_FIRST_ALONE, &slots, mem);
    return ipr_say_player_first(ipr_certainty_word(r->first[0]) != NULL ? IPR_PLAYER_FIRST_LIKELY
                                                                        : IPR_PLAYER_FIRST_OPEN,
                                &slots, mem);
}
