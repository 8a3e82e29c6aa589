#ifndef IPR_TEST_DB_PEOPLE_H
#define IPR_TEST_DB_PEOPLE_H

#include "db/identity_changes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libpq-fe.h>

#include "db/identities.h"
#include "db/judges.h"
#include "db/players.h"
#include "db/similar_pairs.h"
#include "db/turns.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

struct mentions {
    const struct ipr_identity *who;
    size_t n;
    struct ipr_db_identity *out;
};

static inline enum ipr_code resolve(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct mentions *m = arg;

    return ipr_db_identities(db, m->who, m->n, m->out, err);
}

static inline void identities(struct ipr_db_fixture *f, const struct ipr_identity *who, size_t n,
                              struct ipr_db_identity *out)
{
    struct mentions m = { who, n, out };

    assert_ok(ipr_db_tx(f->db, resolve, &m, &f->err), &f->err);
}

/* A game, judged when asked; its id. */
static inline int64_t play(struct ipr_db_fixture *f, unsigned seed, const char *white,
                           const char *black, int year, bool judged)
{
    struct ipr_db_new_game g = ipr_sample_game(&f->mem, seed, white, black, year, 60);

    g.tags_json =
        ipr_arena_printf(&f->mem, "{\"White\":\"%s\",\"Black\":\"%s\",\"BlackFideId\":\"%u\"}",
                         white, black, 100 + seed);
    ipr_sample_store(f->db, &g, 1, "sample");
    if (judged)
        ipr_sample_judge_game(f->db, &f->mem, g.id, seed);
    return g.id;
}

static inline struct ipr_db_split into(const char *name)
{
    return (struct ipr_db_split){ .name = name, .key = name, .colour = -1 };
}

static inline void assert_conflict(struct ipr_db_fixture *f, enum ipr_code rc, const char *type)
{
    assert_int_equal(rc, IPR_ECONFLICT);
    assert_string_equal(f->err.type, type);
    ipr_err_clear(&f->err);
}

struct figures {
    struct ipr_db_player p;
    struct ipr_db_player_year *years;
    size_t n_years;
    struct ipr_db_player_turns turns;
    size_t games;
};

static inline struct figures figures(struct ipr_db_fixture *f, int32_t id, unsigned times)
{
    const int32_t judge = ipr_sample_judge_id(f->db);
    struct ipr_db_player_game *games = NULL;
    struct figures x = { 0 };

    assert_ok(ipr_db_player_get(f->db, id, judge, times, &f->mem, &x.p, &f->err), &f->err);
    assert_ok(
        ipr_db_player_years(f->db, x.p.id, judge, times, &f->mem, &x.years, &x.n_years, &f->err),
        &f->err);
    const struct ipr_db_scope scope = ipr_db_scope_year(x.p.id, 0, times);
    assert_ok(ipr_db_player_turns(f->db, &scope, judge, &f->mem, &x.turns, &f->err), &f->err);
    assert_ok(ipr_db_player_games(f->db, x.p.id, 0, judge, 100, &f->mem, &games, &x.games, &f->err),
              &f->err);
    return x;
}

/* A digest of the data that figures are computed from, by identity, without empty rows. */
static inline const char *snapshot(struct ipr_db_fixture *f)
{
    const char *s = ipr_db_test_sql(
        "SELECT md5(string_agg(x, '|' ORDER BY x)) FROM ("
        "SELECT concat_ws(' ', 'y', player_id, year, judge_id, time_class, games, turns, counted,"
        "  at_0, at_30) AS x FROM player_year WHERE games <> 0"
        " UNION ALL SELECT concat_ws(' ', 't', player_id, judge_id, time_class, games, turns)"
        "  FROM player_total WHERE games <> 0"
        " UNION ALL SELECT concat_ws(' ', 'g', id, white_id, black_id) FROM game"
        " UNION ALL SELECT concat_ws(' ', 'p', id, merged_into) FROM player"
        "  WHERE merged_into IS NOT NULL) AS all_rows");

    return ipr_arena_strndup(&f->mem, s, strlen(s));
}

/* Player-years equal those that other SQL computes from the turns. */
static inline void assert_consistent(void)
{
    ipr_sample_totals_hold();
    assert_int_equal(
        ipr_db_test_int(
            "WITH t AS (SELECT CASE s.colour WHEN 0 THEN g.white_id ELSE g.black_id END AS "
            "player_id,"
            " g.year, s.judge_id, g.time_class + 16 * s.imported::integer AS time_class, s.turns, "
            "x.counted, x.at_0 FROM judged_side s"
            " JOIN game g ON g.id = s.game_id CROSS JOIN LATERAL (SELECT"
            "  count(*) FILTER (WHERE ply >= 18 AND legal > 1) AS counted,"
            "  count(*) FILTER (WHERE ply >= 18 AND legal > 1 AND best_cp = played_cp) AS at_0"
            "  FROM turn t WHERE t.game_id = s.game_id AND t.judge_id = s.judge_id"
            "  AND t.mover = s.colour) AS x WHERE g.year <> 0),"
            " a AS (SELECT player_id, year, judge_id, time_class, count(*) AS games,"
            "  sum(turns) AS turns, sum(counted) AS counted, sum(at_0) AS at_0 FROM t"
            "  WHERE player_id <> 0 GROUP BY 1, 2, 3, 4)"
            " SELECT count(*) FROM a FULL JOIN (SELECT * FROM player_year WHERE games <> 0) y"
            " USING (player_id, year, judge_id, time_class) WHERE"
            " (a.games, a.turns, a.counted, a.at_0) IS DISTINCT FROM"
            " (y.games::bigint, y.turns::bigint, y.counted::numeric, y.at_0::numeric)"),
        0);
}

#endif
