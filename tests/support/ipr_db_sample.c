#include "ipr_db_sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/digest.h"
#include "db/events.h"
#include "db/judges.h"
#include "db/uploads.h"
#include "db/workers.h"
#include "ipr_db_test.h"
#include "ipr_test.h"
#include "model/strength_shipped.h"

static void must(enum ipr_code rc, const struct ipr_err *err)
{
    if (rc == IPR_OK)
        return;
    fprintf(stderr, "sample: %s: %s\n", ipr_code_name(rc), err->msg);
    abort();
}

static unsigned next(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

struct ipr_db_new_game ipr_sample_game(struct ipr_arena *mem, unsigned seed, const char *white,
                                       const char *black, int year, size_t plies)
{
    ipr_move *moves = ipr_arena_alloc(mem, plies, sizeof *moves);
    unsigned state = seed * 2654435761u + 1;
    struct ipr_pos pos;
    size_t n = 0;

    ipr_pos_start(&pos);
    for (; n < plies; n++) {
        ipr_move legal[IPR_MAX_MOVES];
        const size_t k = ipr_pos_legal(&pos, legal);

        if (k == 0)
            break;
        moves[n] = legal[next(&state) % k];
        ipr_pos_play(&pos, moves[n]);
    }
    struct ipr_db_new_game g = {
        .ordinal = (int32_t)seed,
        .white = { .name = white, .key = white, .tagged = white, .tagged_name = white },
        .black = { .name = black, .key = black, .tagged = black, .tagged_name = black },
        .year = year,
        .date = ipr_arena_printf(mem, "%d.%02u.??", year, seed % 12 + 1),
        .event_year = year,
        .event = seed % 2 == 0 ? "Even, \"quoted\" \\ {event}" : "Odd",
        .site = "",
        .round = "1",
        .result = (enum ipr_result)(seed % 4),
        .white_elo = seed % 3 == 0 ? 0 : 2400 + (int)(seed % 100),
        .black_elo = 2500,
        .moves = moves,
        .n_moves = n,
        .tags_json = "{\"Event\":\"x\",\"B\":\"2\",\"A\":\"\xc3\xa9 \\\"1\\\"\"}",
    };
    g.moves_key = ipr_moves_key("", moves, n);
    g.stem = ipr_moves_stem("", moves, n);
    return g;
}

static enum ipr_code resolve_players(struct ipr_db *db, struct ipr_db_new_game *g, size_t n,
                                     struct ipr_arena *mem, struct ipr_err *err)
{
    struct ipr_identity *who = ipr_arena_alloc(mem, 2 * n, sizeof *who);
    struct ipr_db_identity *ids = ipr_arena_alloc(mem, 2 * n, sizeof *ids);

    for (size_t i = 0; i < n; i++) {
        who[2 * i] = g[i].white;
        who[2 * i + 1] = g[i].black;
    }
    const enum ipr_code rc = ipr_db_identities(db, who, 2 * n, ids, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        g[i].white_id = ids[2 * i];
        g[i].black_id = ids[2 * i + 1];
    }
    return rc;
}

static enum ipr_code resolve_events(struct ipr_db *db, struct ipr_db_new_game *g, size_t n,
                                    struct ipr_arena *mem, struct ipr_err *err)
{
    struct ipr_db_event *events = ipr_arena_alloc(mem, n, sizeof *events);
    int32_t *ids = ipr_arena_alloc(mem, n, sizeof *ids);

    for (size_t i = 0; i < n; i++)
        events[i] = (struct ipr_db_event){ g[i].event, g[i].event_year };
    const enum ipr_code rc = ipr_db_events(db, events, n, ids, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        g[i].event_id = ids[i];
    return rc;
}

static enum ipr_code resolve(struct ipr_db *db, struct ipr_db_new_game *games, size_t n,
                             struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    enum ipr_code rc = resolve_players(db, games, n, &mem, err);

    if (rc == IPR_OK)
        rc = resolve_events(db, games, n, &mem, err);
    ipr_arena_release(&mem);
    return rc;
}

struct batch {
    struct ipr_db_new_game *games;
    size_t n;
    const char *judge;
    int64_t id;
};

static enum ipr_code insert(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    static const unsigned char digest[32] = { 1, 2, 3 };
    struct batch *b = arg;
    struct ipr_db_new_game **each = ipr_xcalloc(b->n, sizeof(struct ipr_db_new_game *));
    enum ipr_code rc = ipr_db_upload_begin(db, "sample.pgn", digest, 1234, b->judge, "local",
                                           (struct ipr_str){ NULL, 0 }, &b->id, err);

    if (rc == IPR_OK)
        rc = resolve(db, b->games, b->n, err);
    for (size_t i = 0; i < b->n; i++)
        each[i] = &b->games[i];
    if (rc == IPR_OK)
        rc = ipr_db_games_insert(db, b->id, each, b->n, err);
    free(each);
    return rc;
}

int64_t ipr_sample_store(struct ipr_db *db, struct ipr_db_new_game *games, size_t n,
                         const char *judge)
{
    const struct ipr_judge sample = ipr_sample_judge();
    struct batch b = { games, n, judge, 0 };
    struct ipr_err err = IPR_ERR_INIT;
    bool fresh;

    must(ipr_db_definition_add(db, &sample, "test", &fresh, &err), &err);
    must(ipr_db_tx(db, insert, &b, &err), &err);
    ipr_db_test_sql("UPDATE upload SET state = 'stored' WHERE state = 'waiting'");
    return b.id;
}

const struct ipr_db_work ipr_sample_work = { .source = "w1" };

struct ipr_judge ipr_sample_judge(void)
{
    return (struct ipr_judge){ .name = "sample",
                               .program = "stockfish",
                               .engine = "Engine 1",
                               .network = "nn-1.nnue",
                               .multipv = 3,
                               .depth = 2,
                               .hash_mb = 16,
                               .threads = 1,
                               .first_move = 9 };
}

struct ipr_judge ipr_sample_rating_judge(void)
{
    struct ipr_judge judge;

    assert_true(ipr_judge_builtin("rating", &judge));
    snprintf(judge.engine, sizeof judge.engine, "%s", IPR_STRENGTH_ENGINE);
    snprintf(judge.network, sizeof judge.network, "%s", IPR_STRENGTH_NETWORK);
    return judge;
}

static int descending(const void *a, const void *b)
{
    return *(const int16_t *)b - *(const int16_t *)a;
}

/* K lines with falling evaluations, now and then a mate, often a tie; the move played after
 * them when it is not among them, now and then better than all. */
static void judge_turn(struct ipr_arena *mem, const struct ipr_judge *judge,
                       const struct ipr_pos *pos, ipr_move played, unsigned *state,
                       struct ipr_judged_turn *t)
{
    ipr_move legal[IPR_MAX_MOVES];
    const size_t n = ipr_pos_legal(pos, legal), k = n < judge->multipv ? n : judge->multipv;
    ipr_move *moves = ipr_arena_alloc(mem, k + 1, sizeof *moves);
    int16_t *score = ipr_arena_alloc(mem, (k + 1) * judge->depth, sizeof *score);
    int16_t final[256];
    size_t lines = k, at = k;

    for (size_t i = 0; i <= k; i++)
        final[i] = (int16_t)((int)(next(state) % 60) * 10 - 300);
    if (next(state) % 16 == 0)
        final[0] = IPR_SCORE_MATE - 3;
    qsort(final, k, sizeof *final, descending);
    for (size_t i = 0; i < k; i++) {
        moves[i] = legal[i];
        if (legal[i] == played)
            at = i;
    }
    if (at == k) {
        moves[k] = played;
        lines = k + 1;
    }
    for (size_t i = 0; i < lines; i++) {
        score[i * judge->depth] = IPR_SCORE_NONE;
        score[i * judge->depth + judge->depth - 1] = final[i];
    }
    t->mover = pos->turn;
    t->depth = (uint8_t)judge->depth;
    t->lines = (uint8_t)lines;
    t->played = (uint8_t)at;
    t->legal = (uint8_t)n;
    t->nodes = next(state);
    t->moves = moves;
    t->score = score;
}

struct ipr_judged_game ipr_sample_judgement(struct ipr_arena *mem, const struct ipr_judge *judge,
                                            const struct ipr_db_game *game, unsigned seed)
{
    const size_t first = ipr_judge_first_ply(judge);
    struct ipr_judged_game g = { 0 };
    struct ipr_pos pos = game->start;
    struct ipr_err err = IPR_ERR_INIT;
    unsigned state = seed;

    g.turns = ipr_arena_alloc(mem, game->n_moves, sizeof *g.turns);
    for (size_t i = 0; i < game->n_moves; i++) {
        if (i >= first) {
            g.turns[g.n].ply = (uint16_t)i;
            judge_turn(mem, judge, &pos, game->moves[i], &state, &g.turns[g.n++]);
        }
        ipr_pos_play(&pos, game->moves[i]);
    }
    must(ipr_judged_check(judge, &game->start, game->moves, game->n_moves, 3, &g, &err), &err);
    return g;
}

struct storing {
    int32_t judge_id;
    const struct ipr_db_game *game;
    const struct ipr_judged_game *judged;
    unsigned sides;
    const struct ipr_db_work *work;
};

static enum ipr_code store_sides(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct storing *s = arg;

    return ipr_db_sides_store(db, s->judge_id, s->game, s->judged, s->sides, s->work, NULL, err);
}

void ipr_sample_judged_by(struct ipr_db *db, int32_t judge_id, const struct ipr_db_game *game,
                          const struct ipr_judged_game *judged, unsigned sides,
                          const struct ipr_db_work *work)
{
    struct storing s = { judge_id, game, judged, sides, work };
    struct ipr_err err = IPR_ERR_INIT;

    must(ipr_db_tx(db, store_sides, &s, &err), &err);
}

void ipr_sample_judged(struct ipr_db *db, int32_t judge_id, const struct ipr_db_game *game,
                       const struct ipr_judged_game *judged, unsigned sides)
{
    ipr_sample_judged_by(db, judge_id, game, judged, sides, &ipr_sample_work);
}

void ipr_sample_totals_hold(void)
{
    assert_int_equal(
        ipr_db_test_int(
            "SELECT count(*) FROM (SELECT player_id, year, time_class, count(*) AS games,"
            "  count(elo) AS elo_games, coalesce(sum(elo), 0) AS elo_sum"
            "  FROM (SELECT white_id AS player_id, year, time_class, white_elo AS elo FROM game"
            "   UNION ALL SELECT black_id, year, time_class, black_elo FROM game) AS s"
            "  WHERE player_id <> 0 GROUP BY 1, 2, 3) AS a"
            " FULL JOIN (SELECT * FROM player_games"
            "  WHERE (games, elo_games, elo_sum) <> (0, 0, 0)) AS t"
            " USING (player_id, year, time_class)"
            " WHERE (a.games, a.elo_games, a.elo_sum) IS DISTINCT FROM"
            "  (t.games::bigint, t.elo_games::bigint, t.elo_sum)"),
        0);
    assert_int_equal(
        ipr_db_test_int(
            "SELECT count(*) FROM (SELECT listed_judge(judge_id) AS judge_id, player_id,"
            "  sum(turns) AS turns FROM player_total GROUP BY 1, 2) AS a"
            " FULL JOIN player_turns AS t USING (judge_id, player_id)"
            " WHERE coalesce(a.turns, 0) <> coalesce(t.turns, 0)"),
        0);
}

int32_t ipr_sample_judge_id(struct ipr_db *db)
{
    const struct ipr_judge judge = ipr_sample_judge();
    struct ipr_err err = IPR_ERR_INIT;
    int32_t id = 0;

    assert_ok(ipr_db_judge_ensure(db, &judge, &id, &err), &err);
    return id;
}

void ipr_sample_judge_game(struct ipr_db *db, struct ipr_arena *mem, int64_t id, unsigned seed)
{
    const struct ipr_judge judge = ipr_sample_judge();
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db_game game;

    assert_ok(ipr_db_game_get(db, id, mem, &game, &err), &err);
    const struct ipr_judged_game judged = ipr_sample_judgement(mem, &judge, &game, seed);
    ipr_sample_judged(db, ipr_sample_judge_id(db), &game, &judged, 3);
}

void ipr_sample_define(struct ipr_db *db, const char *name, const char *program)
{
    struct ipr_judge judge = ipr_sample_judge();
    struct ipr_err err = IPR_ERR_INIT;
    bool fresh;

    snprintf(judge.name, sizeof judge.name, "%s", name);
    snprintf(judge.program, sizeof judge.program, "%s", program);
    assert_ok(ipr_db_definition_add(db, &judge, "anna", &fresh, &err), &err);
}

void ipr_sample_worker(struct ipr_db *db, const char *name, const char *engines, int threads)
{
    const struct ipr_db_worker w = {
        .name = name, .version = "1", .engines = engines, .threads = threads
    };
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_db_worker_beat(db, &w, &err), &err);
}

struct ipr_db_job ipr_sample_claim(struct ipr_db *db)
{
    struct ipr_db_queue_cursor cursor = { 0 };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db_job job = { 0 };

    assert_ok(ipr_db_job_claim(db, "stockfish", "w1", 60, &cursor, &job, &err), &err);
    return job;
}
