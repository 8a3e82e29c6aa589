/* Stores the figures of many sides at once, because imported sets have tens of thousands. */
#include "db/turns.h"

#include <stdlib.h>

#include "core/file_evals.h"
#include "db/aggregates.h"
#include "db/copy.h"
#include "db/judges.h"
#include "db/side_turns.h"
#include "db/strength.h"
#include "queries/deletion_inside.h"
#include "queries/strength_inside.h"
#include "queries/turns_inside.h"

/* A new side, or one that is rated again, with its contribution to the aggregates. */
struct fresh {
    const struct ipr_db_new_side *side;
    const struct ipr_db_locked_games *now;
    int version; /* of its sums, which are stored, too; 0: it has none */
    bool again;  /* only its sums are new; `sum` is their difference to the old ones */
    struct ipr_contribution sum;
};

struct many {
    struct ipr_db *db;
    const struct ipr_db_work *work;
    struct ipr_arena mem;
    struct fresh *fresh; /* [n], by ascending game, judge, colour */
    size_t n;
    struct ipr_err *err;
};

/* ---- new sides ---- */

static int side_compare(const void *a, const void *b)
{
    const struct ipr_db_new_side *x = a, *y = b;

    if (x->game->id != y->game->id)
        return x->game->id < y->game->id ? -1 : 1;
    if (x->judge_id != y->judge_id)
        return x->judge_id < y->judge_id ? -1 : 1;
    return (int)x->colour - (int)y->colour;
}

static bool side_is_rated(const struct ipr_db_new_side *side, bool tells_strength)
{
    return tells_strength && side->figures->sums.version == IPR_STRENGTH_SUMS_VERSION;
}

/* By evaluations in its file, on the scale of the pool that the game is in. */
static bool side_is_rated_by_file(const struct ipr_db_new_side *side)
{
    const struct ipr_pool *const pool = ipr_pool_of(IPR_TIME_BIT(side->game->time_class));

    return side->figures->sums.version == ipr_file_evals_version(pool);
}

static void fresh_add(struct many *m, const struct ipr_db_new_side *side,
                      const struct ipr_db_locked_games *now, bool tells_strength)
{
    struct fresh *const f = &m->fresh[m->n++];
    const struct ipr_side_sums *const sums = &side->figures->sums;

    f->side = side;
    f->now = now;
    if (side_is_rated(side, tells_strength) || side_is_rated_by_file(side))
        f->version = sums->version;
    for (size_t i = 0; i < side->figures->n; i++)
        ipr_contribution_count(&f->sum, &side->figures->turns[i]);
    if (f->version == 0)
        return;
    f->sum.strength_score = sums->score;
    f->sum.strength_information = sums->information;
    f->sum.strength_moves = sums->moves;
}

/* Nothing here can compute the sums of a side without lines, so that those of this program's
 * version replace others. */
static enum ipr_code fresh_rate_again(struct many *m, const struct ipr_db_new_side *side,
                                      const struct ipr_db_locked_games *now)
{
    const struct ipr_side_sums *const sums = &side->figures->sums;
    int64_t score = 0, information = 0;
    int moves = 0;
    bool found = false;
    const enum ipr_code rc = ipr_db_strength_replace(
        m->db, side->game->id, side->judge_id, (int)side->colour, IPR_STRENGTH_SUMS_VERSION, sums,
        &found, &score, &information, &moves, m->err);

    if (rc == IPR_OK && found)
        m->fresh[m->n++] = (struct fresh){
            .side = side,
            .now = now,
            .again = true,
            .sum = { .strength_score = sums->score - score,
                     .strength_information = sums->information - information,
                     .strength_moves = sums->moves - moves },
        };
    return rc;
}

/* Chooses the new sides. Both lists are sorted. A game that was deleted meanwhile is not among the
 * locked ones. */
static enum ipr_code sides_choose(struct many *m, const struct ipr_db_new_side *sides, size_t n,
                                  const struct ipr_db_locked_games *now, size_t n_now)
{
    int32_t judge_id = 0;
    enum ipr_code rc = IPR_OK;
    bool tells = false;

    for (size_t i = 0, k = 0; rc == IPR_OK && i < n; i++) {
        struct ipr_judge judge;

        if (sides[i].judge_id != judge_id) {
            judge_id = sides[i].judge_id;
            rc = ipr_db_judge_get(m->db, judge_id, &judge, m->err);
            tells = rc == IPR_OK && ipr_judge_may_rate(&judge);
        }
        while (k < n_now &&
               (now[k].id < sides[i].game->id ||
                (now[k].id == sides[i].game->id && now[k].judge_id < sides[i].judge_id)))
            k++;
        if (k == n_now || now[k].id != sides[i].game->id)
            continue;
        if (i > 0 && side_compare(&sides[i - 1], &sides[i]) == 0)
            continue;
        if (now[k].there >> sides[i].colour & 1u) {
            /* A side that is stored already, or is in the list twice, is only confirmed or rated
             * again. */
            rc = ipr_db_sides_confirm(m->db, sides[i].game->id, sides[i].judge_id,
                                      1u << sides[i].colour, m->work->upload_id, m->work->source,
                                      m->err);
            if (rc == IPR_OK && now[k].other >> sides[i].colour & 1u &&
                side_is_rated(&sides[i], tells))
                rc = fresh_rate_again(m, &sides[i], &now[k]);
        } else {
            fresh_add(m, &sides[i], &now[k], tells);
        }
    }
    return rc;
}

/* ---- rows ---- */

/* Not in sql/queries, because a COPY cannot be prepared. */
static const char copy_sides[] =
    "COPY public.judged_side (game_id, judge_id, colour, source, strength_version, turns, nodes,"
    " strength_score, strength_information, strength_moves, imported, upload_id)"
    " FROM STDIN (FORMAT binary)";
static const char copy_turns[] =
    "COPY side_turns (game_id, judge_id, colour, figures, lines, second_cp)"
    " FROM STDIN (FORMAT binary)";

static void copy_key(struct ipr_db_copy *c, const struct fresh *f, int fields)
{
    ipr_db_copy_row(c, fields);
    ipr_db_copy_i64(c, f->side->game->id);
    ipr_db_copy_i16(c, f->side->judge_id);
    ipr_db_copy_i16(c, f->side->colour);
}

static void copy_side(struct ipr_db_copy *c, const struct fresh *f, const struct ipr_db_work *work)
{
    copy_key(c, f, 12);
    ipr_db_copy_text(c, work->source);
    ipr_db_copy_i16(c, f->version);
    ipr_db_copy_i16(c, f->sum.turns);
    ipr_db_copy_i64(c, 0);
    ipr_db_copy_i64(c, f->sum.strength_score);
    ipr_db_copy_i64(c, f->sum.strength_information);
    ipr_db_copy_i16(c, f->sum.strength_moves);
    ipr_db_copy_bool(c, true);
    ipr_db_copy_i64(c, work->upload_id);
}

static enum ipr_code sides_copy(const struct many *m)
{
    struct ipr_db_copy copy;
    const enum ipr_code rc = ipr_db_copy_begin(m->db, copy_sides, &copy, m->err);

    if (rc != IPR_OK)
        return rc;
    for (size_t i = 0; i < m->n; i++)
        if (!m->fresh[i].again)
            copy_side(&copy, &m->fresh[i], m->work);
    return ipr_db_copy_end(&copy, m->err);
}

static enum ipr_code turns_copy(const struct many *m)
{
    struct ipr_buf figures = IPR_BUF_INIT, second = IPR_BUF_INIT;
    struct ipr_db_copy copy;
    const enum ipr_code rc = ipr_db_copy_begin(m->db, copy_turns, &copy, m->err);

    if (rc != IPR_OK)
        return rc;
    for (size_t i = 0; i < m->n; i++) {
        if (m->fresh[i].again)
            continue;
        ipr_buf_reset(&figures);
        ipr_buf_reset(&second);
        ipr_db_side_pack_figures(m->fresh[i].side->figures, &figures, &second);
        copy_key(&copy, &m->fresh[i], 6);
        ipr_db_copy_bytes(&copy, ipr_buf_c(&figures), figures.n);
        ipr_db_copy_bytes(&copy, "", 0);
        ipr_db_copy_bytes(&copy, ipr_buf_c(&second), second.n);
    }
    ipr_buf_release(&second);
    ipr_buf_release(&figures);
    return ipr_db_copy_end(&copy, m->err);
}

/* ---- aggregates ---- */

static struct ipr_db_share fresh_share(const struct fresh *f)
{
    struct ipr_db_share share = {
        .of = { .player_id = f->now->player[f->side->colour],
                .judge_id = f->side->judge_id,
                .year = f->now->year,
                .time_class = f->now->time_class + IPR_TIME_IMPORTED },
        .sides = !f->again,
        .sum = f->sum,
    };

    if (f->version < 0) /* aggregates are of one estimate */
        share.sum.strength_score = share.sum.strength_information = share.sum.strength_moves = 0;
    return share;
}

static int number_compare(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

static int share_compare(const void *a, const void *b)
{
    const struct ipr_db_share *x = a, *y = b;
    const int by[] = { number_compare(x->of.player_id, y->of.player_id),
                       number_compare(x->of.year, y->of.year),
                       number_compare(x->of.judge_id, y->of.judge_id),
                       number_compare(x->shard, y->shard),
                       number_compare(x->of.time_class, y->of.time_class) };

    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        if (by[i] != 0)
            return by[i];
    return 0;
}

/* Adds up the shares of each aggregate; returns the number of aggregates. */
static size_t shares_combine(struct ipr_db_share *shares, size_t n)
{
    size_t k = 0;

    qsort(shares, n, sizeof *shares, share_compare);
    for (size_t i = 0; i < n; i++) {
        if (k == 0 || share_compare(&shares[k - 1], &shares[i]) != 0) {
            shares[k++] = shares[i];
            continue;
        }
        shares[k - 1].games += shares[i].games;
        shares[k - 1].sides += shares[i].sides;
        ipr_contribution_sum(&shares[k - 1].sum, &shares[i].sum, 1);
    }
    return k;
}

/* Adds to the aggregates in the order in which sides.c locks them. */
static enum ipr_code aggregates_add(struct many *m)
{
    struct ipr_db_share *const shares = ipr_arena_alloc(&m->mem, m->n, sizeof *shares);

    for (size_t i = 0; i < m->n; i++)
        shares[i] = fresh_share(&m->fresh[i]);
    size_t k = shares_combine(shares, m->n);
    enum ipr_code rc = ipr_db_player_years_add(m->db, shares, k, m->err);

    for (size_t i = 0; i < k; i++)
        shares[i].of.year = 0;
    k = shares_combine(shares, k);
    if (rc == IPR_OK)
        rc = ipr_db_player_totals_add(m->db, shares, k, m->err);

    for (size_t i = 0; i < m->n; i++) {
        shares[i] = fresh_share(&m->fresh[i]);
        shares[i].of.player_id = shares[i].of.year = 0;
        shares[i].shard = ipr_db_shard(m->fresh[i].now->id);
        shares[i].games =
            m->fresh[i].now->there == 0 && (i == 0 || m->fresh[i - 1].now != m->fresh[i].now);
    }
    k = shares_combine(shares, m->n);
    return rc == IPR_OK ? ipr_db_judge_totals_add(m->db, shares, k, m->err) : rc;
}

enum ipr_code ipr_db_new_sides_store(struct ipr_db *db, const struct ipr_db_new_side *sides,
                                     size_t n, const struct ipr_db_work *work, struct ipr_err *err)
{
    struct many m = { .db = db, .work = work, .mem = IPR_ARENA_INIT, .err = err };
    struct ipr_db_new_side *const sorted = ipr_arena_alloc(&m.mem, n, sizeof *sorted);
    struct ipr_db_locked_games *now = NULL;
    int64_t *const ids = ipr_arena_alloc(&m.mem, n, sizeof *ids);
    size_t n_now = 0;

    for (size_t i = 0; i < n; i++) {
        sorted[i] = sides[i];
        ids[i] = sides[i].game->id;
    }
    qsort(sorted, n, sizeof *sorted, side_compare);
    m.fresh = ipr_arena_alloc(&m.mem, n, sizeof *m.fresh);
    enum ipr_code rc =
        ipr_db_games_lock(db, sorted, n, IPR_STRENGTH_SUMS_VERSION, &m.mem, &now, &n_now, err);
    if (rc == IPR_OK)
        rc = sides_choose(&m, sorted, n, now, n_now);
    if (rc == IPR_OK && m.n > 0) {
        rc = sides_copy(&m);
        if (rc == IPR_OK)
            rc = turns_copy(&m);
        if (rc == IPR_OK)
            rc = aggregates_add(&m);
        if (rc == IPR_OK)
            rc = ipr_db_strength_settle(db, ids, n, err); /* others may have rated the games */
        if (rc == IPR_OK)
            rc = ipr_db_notify_progress(db, err);
    }
    ipr_arena_release(&m.mem);
    return rc;
}
