/* Storing judged sides; what reads them is in turns.c. */
#include "db/turns.h"

#include "db/aggregates.h"
#include "db/contribution.h"
#include "db/judges.h"
#include "db/known_turns.h"
#include "db/side_turns.h"
#include "db/strength.h"
#include "model/strength_shipped.h"
#include "queries/deletion_inside.h"
#include "queries/strength_inside.h"
#include "queries/turns_inside.h"

struct store {
    struct ipr_db *db;
    int32_t judge_id;
    const struct ipr_db_game *game;
    const struct ipr_judged_game *judged;
    const struct ipr_db_work *work;
    struct ipr_contribution side[2];
    bool tells_strength;           /* the judge's evaluations do */
    int sign;                      /* of what goes into the aggregates */
    unsigned imported, kept;       /* bit 0 White, bit 1 Black */
    struct ipr_db_locked_game now; /* `game` may have been read before a split */
    struct ipr_err *err;
};

/* Sides that a judge has judged, the imported ones among them, and what they tell of strength. */
static enum ipr_code sides_known(struct ipr_db *db, int32_t judge_id, int64_t game_id,
                                 unsigned *sides, unsigned *imported, unsigned *kept,
                                 struct ipr_contribution side[2], struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_judged_colour *rows = NULL;
    size_t n = 0;
    const enum ipr_code rc = ipr_db_colours_judged(db, game_id, judge_id, &mem, &rows, &n, err);

    *sides = *imported = *kept = 0;
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        *sides |= 1u << rows[i].colour;
        *imported |= (unsigned)rows[i].imported << rows[i].colour;
        *kept |= (unsigned)rows[i].kept << rows[i].colour;
        side[rows[i].colour].strength_score = rows[i].strength_score;
        side[rows[i].colour].strength_information = rows[i].strength_information;
        side[rows[i].colour].strength_moves = rows[i].strength_moves;
    }
    ipr_arena_release(&mem);
    return rc;
}

enum ipr_code ipr_db_sides_judged(struct ipr_db *db, int32_t judge_id, int64_t game_id,
                                  unsigned *sides, struct ipr_err *err)
{
    struct ipr_contribution side[2];
    unsigned imported, kept;

    return sides_known(db, judge_id, game_id, sides, &imported, &kept, side, err);
}

static int side_cached(const struct ipr_db_work *work, int colour)
{
    int n = 0;

    for (size_t i = 0; work->known != NULL && i < work->known->n; i++)
        n += work->known->turns[i].mover == colour;
    return n;
}

/* Adds the lines of sides that were stored without lines, and rates these sides. */
static enum ipr_code add_lines(const struct store *s, unsigned sides)
{
    struct ipr_buf figures = IPR_BUF_INIT, lines = IPR_BUF_INIT;
    enum ipr_code rc = IPR_OK;
    int64_t added = 0, n = 0;

    for (int c = 0; c < 2 && rc == IPR_OK; c++) {
        if (!(sides >> c & 1u))
            continue;
        ipr_buf_reset(&figures);
        ipr_buf_reset(&lines);
        ipr_db_side_pack(s->judged, c, &figures, &lines);
        rc = ipr_db_side_lines_add(s->db, s->game->id, s->judge_id, c,
                                   (struct ipr_str){ ipr_buf_c(&figures), figures.n },
                                   (struct ipr_str){ ipr_buf_c(&lines), lines.n }, &n, s->err);
        added += n;
    }
    ipr_buf_release(&lines);
    ipr_buf_release(&figures);
    return rc == IPR_OK && added > 0 && s->tells_strength
               ? ipr_db_strength_renew_game(s->db, s->game->id, s->judge_id, s->err)
               : rc;
}

/* Inserts the rows of judged_side and side_turns. */
static enum ipr_code new_side_store(const struct store *s, int colour)
{
    const struct ipr_db_work *work = s->work;
    struct ipr_arena mem = IPR_ARENA_INIT;
    const unsigned char **keys = NULL;
    size_t n_keys = 0;
    struct ipr_buf figures = IPR_BUF_INIT, lines = IPR_BUF_INIT;
    enum ipr_code rc = ipr_db_side_add(
        s->db, s->game->id, s->judge_id, colour, work, side_cached(work, colour),
        s->tells_strength ? IPR_STRENGTH_SUMS_VERSION : 0, &s->side[colour], s->err);

    if (work->keyed)
        keys = ipr_db_side_keys(s->game, s->judged, work->known, colour, &mem, &n_keys);
    ipr_db_side_pack(s->judged, colour, &figures, &lines);
    if (rc == IPR_OK)
        rc = ipr_db_side_turns_add(s->db, s->game->id, s->judge_id, colour,
                                   (struct ipr_str){ ipr_buf_c(&figures), figures.n },
                                   (struct ipr_str){ ipr_buf_c(&lines), lines.n },
                                   (struct ipr_str){ 0 }, keys, n_keys, s->err);
    ipr_buf_release(&lines);
    ipr_buf_release(&figures);
    ipr_arena_release(&mem);
    return rc;
}

static enum ipr_code new_sides_store(const struct store *s, unsigned sides)
{
    enum ipr_code rc = IPR_OK;

    for (int c = 0; c < 2 && rc == IPR_OK; c++)
        if (sides >> c & 1u)
            rc = new_side_store(s, c);
    return rc;
}

/* Imported sides have separate aggregates. */
static int side_class(const struct store *s, int colour)
{
    return s->now.time_class + ((s->imported >> colour & 1u) ? IPR_TIME_IMPORTED : 0);
}

/* Adds the sides made here, or the imported ones, to the totals of the judge. */
static enum ipr_code add_judge(const struct store *s, struct ipr_db_aggregate of, unsigned sides,
                               bool first)
{
    if (sides == 0)
        return IPR_OK;
    of.time_class = side_class(s, sides & 1u ? 0 : 1);

    struct ipr_db_share share = { .of = of,
                                  .shard = ipr_db_shard(s->game->id),
                                  .games = first ? s->sign : 0 };
    for (int c = 0; c < 2; c++)
        if (sides >> c & 1u) {
            share.sides += s->sign;
            ipr_contribution_sum(&share.sum, &s->side[c], 1);
        }
    return ipr_db_judge_totals_add(s->db, &share, 1, s->err);
}

/* Sides that are kept change no sum of their player, only its version.
 *
 * To avoid deadlocks every transaction locks in one order: the game; player-years by ascending
 * player (a game has one year); player totals by ascending player; the judge's total. */
static enum ipr_code add_aggregates(const struct store *s, unsigned sides, bool first)
{
    struct ipr_db_aggregate of = { .judge_id = s->judge_id, .year = s->now.year };
    const int low = s->now.player[0] <= s->now.player[1] ? 0 : 1;
    enum ipr_code rc = IPR_OK;

    for (int i = 0; i < 4 && rc == IPR_OK; i++) {
        const int c = (i & 1) ^ low;

        of.player_id = s->now.player[c];
        of.time_class = side_class(s, c);
        struct ipr_db_share share = { .of = of };
        if (!(sides >> c & 1u))
            continue;
        if (!(s->kept >> c & 1u)) {
            share.sides = s->sign;
            share.sum = s->side[c];
        }
        rc = i < 2 ? ipr_db_player_years_add(s->db, &share, 1, s->err)
                   : ipr_db_player_totals_add(s->db, &share, 1, s->err);
    }
    const unsigned own = sides & ~s->imported;
    if (rc == IPR_OK)
        rc = add_judge(s, of, own, first);
    if (rc == IPR_OK)
        rc = add_judge(s, of, sides & s->imported, first && own == 0);
    return rc;
}

/* Not every judge's evaluations tell the strength of players: the sums of its sides are computed
 * here. */
static enum ipr_code store_strength(struct store *s)
{
    struct ipr_judge judge;
    const enum ipr_code rc = ipr_db_judge_get(s->db, s->judge_id, &judge, s->err);

    if (rc != IPR_OK)
        return rc;
    s->tells_strength = ipr_judge_may_rate(&judge);
    if (s->tells_strength)
        ipr_side_strength(&judge, s->game, s->judged, s->side);
    return IPR_OK;
}

enum ipr_code ipr_db_sides_store(struct ipr_db *db, int32_t judge_id,
                                 const struct ipr_db_game *game,
                                 const struct ipr_judged_game *judged, unsigned sides,
                                 const struct ipr_db_work *work, unsigned *stored,
                                 struct ipr_err *err)
{
    struct store s = { .db = db,
                       .judge_id = judge_id,
                       .game = game,
                       .judged = judged,
                       .work = work,
                       .sign = 1,
                       .imported = work->upload_id != 0 ? 3u : 0u,
                       .err = err };
    unsigned there = 0;

    for (size_t i = 0; i < judged->n; i++)
        ipr_contribution_add(&s.side[judged->turns[i].mover & 1u], &judged->turns[i]);

    enum ipr_code rc = store_strength(&s);
    if (rc == IPR_OK)
        rc = ipr_db_game_lock(db, game->id, &s.now, err);
    if (rc == IPR_OK)
        rc = ipr_db_sides_judged(db, judge_id, game->id, &there, err);
    if (rc != IPR_OK)
        return rc;
    const unsigned fresh = sides & 3u & ~there;
    if (fresh != 0) {
        rc = new_sides_store(&s, fresh);
        if (rc == IPR_OK)
            rc = add_aggregates(&s, fresh, there == 0);
        if (rc == IPR_OK && there != 0 && s.tells_strength)
            rc = ipr_db_strength_renew_game(db, game->id, judge_id, err);
        else if (rc == IPR_OK && s.tells_strength)
            rc = ipr_db_strength_settle(db, &game->id, 1, err);
        if (rc == IPR_OK)
            rc = ipr_db_notify_progress(db, err);
    }
    if (rc == IPR_OK)
        rc = add_lines(&s, sides & there);
    if (rc == IPR_OK && work->upload_id != 0 && fresh != sides)
        rc = ipr_db_sides_confirm(db, game->id, judge_id, sides & there, work->upload_id,
                                  work->source, err);
    if (rc == IPR_OK && stored != NULL)
        *stored = fresh;
    return rc;
}

/* ---- deleting ---------------------------------------------------------------------------------
 */

/* The sides in `which` that one judge has judged; `of` has the game, locked, and the sign.
 */
static enum ipr_code count_judge(const struct store *of, int32_t judge_id, unsigned which,
                                 struct ipr_arena *mem)
{
    struct ipr_contribution c[2] = { { 0 }, { 0 } };
    struct ipr_db_game_side *stored = NULL;
    struct store s = *of;
    unsigned sides = 0;
    size_t n = 0;
    enum ipr_code rc =
        sides_known(s.db, judge_id, s.game->id, &sides, &s.imported, &s.kept, c, s.err);

    if (rc == IPR_OK)
        rc = ipr_db_sides_of_game(s.db, s.game->id, judge_id, mem, &stored, &n, s.err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        ipr_db_side_count(stored[i].figures, &c[stored[i].colour]);
    for (int i = 0; i < 2; i++)
        ipr_contribution_sum(&s.side[i], &c[i], s.sign);
    s.judge_id = judge_id;
    return rc == IPR_OK ? add_aggregates(&s, sides & which, (sides & ~which) == 0) : rc;
}

enum ipr_code ipr_db_sides_count(struct ipr_db *db, int64_t game_id, int sign, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_game game;
    struct store s = { .db = db, .game = &game, .sign = sign, .err = err };
    int32_t *judges = NULL;
    size_t n = 0;
    enum ipr_code rc = ipr_db_game_judges(db, game_id, &mem, &judges, &n, err);

    if (rc == IPR_OK && n > 0)
        rc = ipr_db_game_get(db, game_id, &mem, &game, err);
    if (rc == IPR_OK && n > 0)
        rc = ipr_db_game_lock(db, game_id, &s.now, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        rc = count_judge(&s, judges[i], 3u, &mem);
    ipr_arena_release(&mem);
    return rc;
}

enum ipr_code ipr_db_strength_renew_game(struct ipr_db *db, int64_t game_id, int32_t judge_id,
                                         struct ipr_err *err)
{
    const int colours[2] = { 0, 1 };
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_contribution side[2] = { { 0 }, { 0 } };
    struct ipr_judged_game judged = { 0 };
    struct ipr_judge judge;
    struct ipr_db_game game;
    enum ipr_code rc = ipr_db_sides_count(db, game_id, -1, err);

    if (rc == IPR_OK)
        rc = ipr_db_judge_get(db, judge_id, &judge, err);
    if (rc == IPR_OK)
        rc = ipr_db_game_get(db, game_id, &mem, &game, err);
    if (rc == IPR_OK)
        rc = ipr_db_game_turns(db, judge_id, game_id, &mem, &judged, err);
    if (rc == IPR_OK) {
        ipr_side_strength(&judge, &game, &judged, side);
        rc = ipr_db_strength_set(db, game_id, judge_id, IPR_STRENGTH_SUMS_VERSION, colours, 2, side,
                                 err);
    }
    ipr_arena_release(&mem);
    if (rc == IPR_OK)
        rc = ipr_db_strength_elect(db, &game_id, 1, err);
    return rc == IPR_OK ? ipr_db_sides_count(db, game_id, 1, err) : rc;
}

enum ipr_code ipr_db_strength_settle(struct ipr_db *db, const int64_t *ids, size_t n,
                                     struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    int64_t *games = NULL;
    size_t contested = 0;
    enum ipr_code rc = ipr_db_strength_contested(db, ids, n, &mem, &games, &contested, err);

    for (size_t i = 0; rc == IPR_OK && i < contested; i++)
        rc = ipr_db_sides_count(db, games[i], -1, err);
    if (rc == IPR_OK && contested > 0)
        rc = ipr_db_strength_elect(db, games, contested, err);
    for (size_t i = 0; rc == IPR_OK && i < contested; i++)
        rc = ipr_db_sides_count(db, games[i], 1, err);
    ipr_arena_release(&mem);
    return rc;
}

enum ipr_code ipr_db_sides_forget(struct ipr_db *db, int64_t game_id, struct ipr_err *err)
{
    const enum ipr_code rc = ipr_db_sides_count(db, game_id, -1, err);

    return rc == IPR_OK ? ipr_db_game_forget(db, game_id, err) : rc;
}

enum ipr_code ipr_db_judgement_forget(struct ipr_db *db, int64_t game_id, int32_t judge_id,
                                      unsigned sides, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_game game;
    struct store s = { .db = db, .game = &game, .sign = -1, .err = err };
    enum ipr_code rc = ipr_db_game_get(db, game_id, &mem, &game, err);

    if (rc == IPR_OK)
        rc = ipr_db_game_lock(db, game_id, &s.now, err);
    if (rc == IPR_OK)
        rc = count_judge(&s, judge_id, sides, &mem);
    if (rc == IPR_OK)
        rc = ipr_db_judgement_delete(db, game_id, judge_id, sides, err);
    if (rc == IPR_OK)
        rc = ipr_db_strength_settle(db, &game_id, 1, err);
    ipr_arena_release(&mem);
    return rc;
}
