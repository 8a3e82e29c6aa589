#include "db/known_turns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "core/digest.h"
#include "db/judges.h"
#include "db/turns.h"
#include "engine/process.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

#define SHARED_PLIES 36 /* 20 of them after move 8 */

/* ---- keys -------------------------------------------------------------------------------------
 */

static size_t read_moves(const struct ipr_pos *start, const char *text, ipr_move *out)
{
    struct ipr_pos pos = *start;
    struct ipr_err err = IPR_ERR_INIT;
    size_t n = 0;

    while (*text != '\0') {
        const size_t len = strcspn(text, " ");

        assert_ok(ipr_move_from_uci(&pos, (struct ipr_str){ text, len }, &out[n], &err), &err);
        ipr_pos_play(&pos, out[n++]);
        text += len + strspn(text + len, " ");
    }
    return n;
}

/* Key of the position after moves from a FEN, NULL: the initial position. */
static void key_after(const char *fen, const char *text, unsigned char out[16])
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos start;
    ipr_move moves[64];

    ipr_pos_start(&start);
    if (fen != NULL)
        assert_ok(ipr_pos_from_fen(&start, ipr_str_c(fen), &err), &err);
    const size_t n = read_moves(&start, text, moves);
    memcpy(out, ipr_db_position_keys(&start, moves, n, &mem)[n], 16);
    ipr_arena_release(&mem);
}

static const struct pair {
    const char *name;
    const char *a_fen, *a, *b_fen, *b;
    bool same;
} pairs[] = {
    { "itself", NULL, "e2e4 e7e5", NULL, "e2e4 e7e5", true },
    { "the number of the move", NULL, "e2e4 e7e5 g1f3", NULL, "g1f3 g8f6 f3g1 f6g8 e2e4 e7e5 g1f3",
      true },
    { "before the last irreversible move", NULL, "d2d4 d7d5 e2e4", NULL, "e2e4 d7d5 d2d4", true },
    { "from a position", NULL, "e2e4 e7e5 g1f3",
      "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "g1f3", true },
    { "the order since", NULL, "e2e4 e7e5 g1f3 b8c6 f1c4", NULL, "e2e4 e7e5 f1c4 b8c6 g1f3",
      false },
    { "what may be repeated", NULL, "e2e4 e7e5", NULL, "e2e4 e7e5 g1f3 g8f6 f3g1 f6g8", false },
    { "whose turn it is", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
      "", false },
    { "castling", "r3k3/8/8/8/8/8/8/4K3 w q - 0 1", "", "r3k3/8/8/8/8/8/8/4K3 w - - 0 1", "",
      false },
    { "the fifty moves", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "", "4k3/8/8/8/8/8/4P3/4K3 w - - 7 9",
      "", false },
    { "the move", NULL, "e2e4 e7e5 g1f3", NULL, "e2e4 e7e5 g1h3", false },
};

static void test_keys(void **state)
{
    const struct pair *p = *state;
    unsigned char a[16], b[16];

    key_after(p->a_fen, p->a, a);
    key_after(p->b_fen, p->b, b);
    assert_int_equal(memcmp(a, b, sizeof a) == 0, p->same);
}

/* ---- a judge that is a pure function ----------------------------------------------------------
 */

struct move_score {
    ipr_move move;
    int16_t score;
};

static int by_score(const void *a, const void *b)
{
    const struct move_score *x = a, *y = b;

    return x->score != y->score ? y->score - x->score : (int)x->move - (int)y->move;
}

/* Evaluations drawn from the key of the position and the move: whoever judges it, they are the
 * same. */
static size_t all_scores(const struct ipr_pos *pos, const unsigned char key[16],
                         struct move_score out[IPR_MAX_MOVES])
{
    ipr_move legal[IPR_MAX_MOVES];
    const size_t n = ipr_pos_legal(pos, legal);

    for (size_t i = 0; i < n; i++) {
        unsigned char seed[18], hash[16];

        memcpy(seed, key, 16);
        seed[16] = (unsigned char)(legal[i] & 255);
        seed[17] = (unsigned char)(legal[i] >> 8);
        crypto_generichash(hash, sizeof hash, seed, sizeof seed, NULL, 0);
        out[i] = (struct move_score){ legal[i], (int16_t)(hash[0] * 4 - 512) };
    }
    qsort(out, n, sizeof *out, by_score);
    return n;
}

static struct ipr_judged_turn judge_turn(const struct ipr_judge *judge, const struct ipr_pos *pos,
                                         const unsigned char key[16], ipr_move played,
                                         struct ipr_arena *mem)
{
    struct move_score all[IPR_MAX_MOVES];
    const size_t n = all_scores(pos, key, all), k = n < judge->multipv ? n : judge->multipv;
    ipr_move *moves = ipr_arena_alloc(mem, k + 1, sizeof *moves);
    int16_t *score = ipr_arena_alloc(mem, (k + 1) * judge->depth, sizeof *score);
    size_t lines = 0;
    unsigned at = 0;

    for (size_t i = 0; i < n; i++) {
        if (i >= k && all[i].move != played)
            continue;
        if (all[i].move == played)
            at = (unsigned)lines;
        moves[lines] = all[i].move;
        for (size_t d = 0; d < judge->depth; d++)
            score[lines * judge->depth + d] = (int16_t)(all[i].score + (int)d - judge->depth + 1);
        lines++;
    }
    return (struct ipr_judged_turn){ .depth = (uint8_t)judge->depth,
                                     .lines = (uint8_t)lines,
                                     .played = (uint8_t)at,
                                     .nodes = 1000 + (lines > k ? 7U : 0U),
                                     .apart_nodes = lines > k ? 7U : 0U,
                                     .moves = moves,
                                     .score = score };
}

static struct ipr_judged_game judge_game(const struct ipr_judge *judge,
                                         const struct ipr_db_game *game, struct ipr_arena *mem)
{
    unsigned char(*keys)[16] = ipr_db_position_keys(&game->start, game->moves, game->n_moves, mem);
    struct ipr_judged_game g = { ipr_arena_alloc(mem, game->n_moves, sizeof *g.turns), 0 };
    struct ipr_pos pos = game->start;
    struct ipr_err err = IPR_ERR_INIT;

    for (size_t ply = 0; ply < game->n_moves; ply++) {
        if (ply >= ipr_judge_first_ply(judge)) {
            g.turns[g.n] = judge_turn(judge, &pos, keys[ply], game->moves[ply], mem);
            g.turns[g.n++].ply = (uint16_t)ply;
        }
        ipr_pos_play(&pos, game->moves[ply]);
    }
    assert_ok(ipr_judged_check(judge, &game->start, game->moves, game->n_moves, 3, &g, &err), &err);
    return g;
}

/* ---- games that share their beginning ---------------------------------------------------------
 */

/* `shared` moves of one game, `next`, then other moves; stored. next 0: the other moves at once. */
static struct ipr_db_game continue_game(struct ipr_db_fixture *f, size_t shared, ipr_move next,
                                        unsigned seed)
{
    struct ipr_db_new_game g = ipr_sample_game(&f->mem, 77, "anna", "bert", 1971, SHARED_PLIES);
    ipr_move *moves = ipr_arena_alloc(&f->mem, SHARED_PLIES + 30, sizeof *moves);
    struct ipr_db_game game = { 0 };
    struct ipr_pos pos;
    size_t n = 0;

    assert_int_equal(g.n_moves, SHARED_PLIES);
    ipr_pos_start(&pos);
    while (n < SHARED_PLIES + 24) {
        ipr_move legal[IPR_MAX_MOVES];
        const size_t k = ipr_pos_legal(&pos, legal);

        if (k == 0)
            break;
        moves[n] = n < shared ? g.moves[n] : n == shared && next != 0 ? next : legal[seed % k];
        seed = seed * 1664525u + 1013904223u;
        ipr_pos_play(&pos, moves[n++]);
    }
    g.ordinal = (int32_t)(seed >> 2);
    g.moves = moves;
    g.n_moves = n;
    g.moves_key = ipr_moves_key("", moves, n);
    g.stem = ipr_moves_stem("", moves, n);
    ipr_sample_store(f->db, &g, 1, "sample");
    assert_ok(ipr_db_game_get(f->db, g.id, &f->mem, &game, &f->err), &f->err);
    return game;
}

struct storing {
    int32_t judge_id;
    const struct ipr_db_game *game;
    const struct ipr_judged_game *judged;
    struct ipr_db_work work;
};

static enum ipr_code store_in_tx(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct storing *s = arg;
    unsigned stored;

    return ipr_db_sides_store(db, s->judge_id, s->game, s->judged, 3, &s->work, &stored, err);
}

static void judge_and_store(struct ipr_db_fixture *f, int32_t judge_id,
                            const struct ipr_judge *judge, const struct ipr_db_game *game,
                            bool keyed)
{
    const struct ipr_judged_game judged = judge_game(judge, game, &f->mem);
    struct storing s = { judge_id, game, &judged, { .source = "w1", .keyed = keyed } };

    assert_ok(ipr_db_tx(f->db, store_in_tx, &s, &f->err), &f->err);
}

static struct ipr_judged_game known(struct ipr_db_fixture *f, int32_t judge_id,
                                    const struct ipr_judge *judge, const struct ipr_db_game *game)
{
    struct ipr_judged_game got = { 0 };

    assert_ok(ipr_db_turns_known(f->db, judge_id, game, judge, &f->mem, &got, &f->err), &f->err);
    return got;
}

static void assert_same_turn(const struct ipr_judged_turn *a, const struct ipr_judged_turn *b)
{
    struct ipr_buf x = IPR_BUF_INIT, y = IPR_BUF_INIT;

    assert_int_equal(a->ply, b->ply);
    assert_int_equal(a->mover, b->mover);
    assert_int_equal(a->legal, b->legal);
    assert_int_equal(a->played, b->played);
    assert_int_equal(a->repeated, b->repeated);
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->apart_nodes, b->apart_nodes);
    ipr_judged_pack(a, &x);
    ipr_judged_pack(b, &y);
    assert_int_equal(x.n, y.n);
    assert_memory_equal(x.p, y.p, x.n);
    ipr_buf_release(&x);
    ipr_buf_release(&y);
}

/* Every turn that is known is what judging it would have given. */
static void assert_as_judged(struct ipr_db_fixture *f, const struct ipr_judge *judge,
                             const struct ipr_db_game *game, const struct ipr_judged_game *got)
{
    const struct ipr_judged_game want = judge_game(judge, game, &f->mem);

    for (size_t i = 0; i < got->n; i++) {
        const size_t at = got->turns[i].ply - ipr_judge_first_ply(judge);

        assert_true(at < want.n);
        assert_same_turn(&got->turns[i], &want.turns[at]);
    }
}

static int32_t judge_id(struct ipr_db_fixture *f, const struct ipr_judge *judge)
{
    int32_t id = 0;

    assert_ok(ipr_db_judge_ensure(f->db, judge, &id, &f->err), &f->err);
    return id;
}

/* Twenty turns are shared; where the games part the position is, and what follows is not. */
static void test_shared_beginning(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_judge();
    const int32_t id = judge_id(f, &judge);
    const struct ipr_db_game a = continue_game(f, SHARED_PLIES, 0, 1),
                             b = continue_game(f, SHARED_PLIES, 0, 2);

    assert_int_equal(known(f, id, &judge, &b).n, 0);
    judge_and_store(f, id, &judge, &a, true);
    const struct ipr_judged_game got = known(f, id, &judge, &b);
    assert_in_range(got.n, 20, 21);
    for (size_t i = 0; i < 20; i++)
        assert_int_equal(got.turns[i].ply, 16 + i);
    assert_as_judged(f, &judge, &b, &got);
}

/* The move that was played there and judged apart is of use to those who played it too. */
static void test_apart(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_judge();
    const int32_t id = judge_id(f, &judge);
    const struct ipr_db_game whole = continue_game(f, SHARED_PLIES, 0, 1);
    struct move_score all[IPR_MAX_MOVES];
    struct ipr_pos pos;

    ipr_pos_start(&pos);
    for (size_t i = 0; i < SHARED_PLIES; i++)
        ipr_pos_play(&pos, whole.moves[i]);
    const size_t n = all_scores(
        &pos, ipr_db_position_keys(&whole.start, whole.moves, SHARED_PLIES, &f->mem)[SHARED_PLIES],
        all);
    assert_true(n > 5);
    const struct ipr_db_game apart = continue_game(f, SHARED_PLIES, all[4].move, 3),
                             apart_too = continue_game(f, SHARED_PLIES, all[4].move, 4),
                             among = continue_game(f, SHARED_PLIES, all[1].move, 5),
                             other = continue_game(f, SHARED_PLIES, all[5].move, 6);

    judge_and_store(f, id, &judge, &apart, true);
    struct ipr_judged_game got = known(f, id, &judge, &apart_too);
    assert_int_equal(got.n, 21);
    assert_int_equal(got.turns[20].lines, 4);
    assert_int_equal(got.turns[20].played, 3);
    assert_as_judged(f, &judge, &apart_too, &got);

    got = known(f, id, &judge, &among);
    assert_int_equal(got.n, 21);
    assert_int_equal(got.turns[20].lines, 3);
    assert_int_equal(got.turns[20].played, 1);
    assert_int_equal(got.turns[20].nodes, 1000); /* nobody has searched just this */
    assert_as_judged(f, &judge, &among, &got);

    assert_int_equal(known(f, id, &judge, &other).n, 20);

    judge_and_store(f, id, &judge, &among, true);
    got = known(f, id, &judge, &among);
    assert_int_equal(got.turns[20].nodes, 1000);
    assert_int_equal(got.n, 40 - 16); /* now stored itself: all turns from move 9 to move 20 */
    assert_as_judged(f, &judge, &among, &got);
}

/* Of no use: other judges, judges that are no pure function, judgements from elsewhere. */
static void test_of_no_use(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_judge();
    struct ipr_judge other = judge, timed = judge;
    const struct ipr_db_game a = continue_game(f, SHARED_PLIES, 0, 1),
                             b = continue_game(f, SHARED_PLIES, 0, 2);
    const int32_t id = judge_id(f, &judge);

    judge_and_store(f, id, &judge, &a, false);
    assert_int_equal(ipr_db_test_int("SELECT count(position_keys) FROM side_turns"), 0);
    assert_int_equal(known(f, id, &judge, &b).n, 0);

    snprintf(other.engine, sizeof other.engine, "Engine 2");
    judge_and_store(f, judge_id(f, &other), &other, &a, true);
    assert_int_equal(known(f, id, &judge, &b).n, 0);
    assert_in_range(known(f, judge_id(f, &other), &other, &b).n, 20, 21);

    timed.clear = IPR_CLEAR_GAME;
    assert_int_equal(known(f, judge_id(f, &other), &timed, &b).n, 0);
}

/* The game as one of a private upload. */
static struct ipr_db_game make_private(struct ipr_db_fixture *f, const struct ipr_db_game *game,
                                       int upload)
{
    struct ipr_db_game out = { 0 };

    ipr_db_test_sql(ipr_arena_printf(
        &f->mem,
        "INSERT INTO upload SELECT (jsonb_populate_record(u, jsonb_build_object('id', %d, 'key',"
        " '\\x%d'))).* FROM upload AS u LIMIT 1 ON CONFLICT DO NOTHING",
        upload, upload));
    const int64_t id = ipr_db_test_int(ipr_arena_printf(
        &f->mem,
        "INSERT INTO game OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(g, "
        "jsonb_build_object('id',"
        " nextval('private.game_id_seq'), 'upload_id', %d))).* FROM game AS g WHERE id = %d"
        " RETURNING id %% 1000000000",
        upload, (int)game->id));

    assert_ok(ipr_db_enter(f->db, IPR_DB_ALL, &f->err), &f->err);
    assert_ok(ipr_db_game_get(f->db, 8000000000 + id, &f->mem, &out, &f->err), &f->err);
    return out;
}

/* Who uploads a game does not learn by its speed that it is in the private upload of another. */
static void test_private(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_judge();
    const int32_t id = judge_id(f, &judge);
    const struct ipr_db_game listed = continue_game(f, SHARED_PLIES, 0, 1),
                             other = continue_game(f, SHARED_PLIES, 0, 2);
    const struct ipr_db_game mine = make_private(f, &listed, 1000000010),
                             mine_too = make_private(f, &other, 1000000010),
                             theirs = make_private(f, &listed, 1000000020);

    judge_and_store(f, id, &judge, &mine, true);
    assert_in_range(known(f, id, &judge, &mine_too).n, 20, 21);
    assert_int_equal(known(f, id, &judge, &theirs).n, 0);
    assert_int_equal(known(f, id, &judge, &listed).n, 0);
    judge_and_store(f, id, &judge, &listed, true);
    assert_int_equal(known(f, id, &judge, &theirs).n, 40 - 16);
}

/* A position that everybody has played costs what others cost. */
static void test_popular(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_judge();
    const int32_t id = judge_id(f, &judge);

    for (unsigned i = 0; i < 12; i++) {
        const struct ipr_db_game g = continue_game(f, SHARED_PLIES, 0, 100 + i);

        judge_and_store(f, id, &judge, &g, true);
    }
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM turn WHERE ply = 16"), 12);
    const struct ipr_db_game last = continue_game(f, SHARED_PLIES, 0, 1);
    const struct ipr_judged_game got = known(f, id, &judge, &last);
    assert_in_range(got.n, 20, 21);
    for (size_t i = 1; i < got.n; i++)
        assert_true(got.turns[i].ply > got.turns[i - 1].ply);
    assert_as_judged(f, &judge, &last, &got);
}

/* Where it is asked for, what a side took is kept beside it. */
static void test_work(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_judge();
    const struct ipr_db_game a = continue_game(f, SHARED_PLIES, 0, 1);
    const struct ipr_judged_game judged = judge_game(&judge, &a, &f->mem);
    const struct ipr_judged_game known_turns = { judged.turns + 1, 7 };
    struct storing s = {
        judge_id(f, &judge),
        &a,
        &judged,
        { .source = "w7", .keyed = true, .known = &known_turns, .search_ms = { 500, 600 } }
    };

    assert_ok(ipr_db_tx(f->db, store_in_tx, &s, &f->err), &f->err);
    assert_string_equal(ipr_db_test_sql("SELECT string_agg(concat_ws(' ', colour, source, cached,"
                                        " search_ms), ';' ORDER BY colour) FROM judged_side"),
                        "0 w7 3 500;1 w7 4 600");
    assert_string_equal(
        ipr_db_test_sql("SELECT string_agg(concat_ws(' ', colour, n, key IS NOT NULL), ';'"
                        " ORDER BY colour, n) FROM side_turns CROSS JOIN"
                        " unnest(position_keys) WITH ORDINALITY AS k (key, n) WHERE n < 6"),
        "0 1 t;0 2 f;0 3 f;0 4 f;0 5 t;1 1 f;1 2 f;1 3 f;1 4 f;1 5 t");
}

/* ---- a real engine ----------------------------------------------------------------------------
 */

static struct ipr_engine *start_stockfish(const struct ipr_judge *judge, struct ipr_arena *mem)
{
    struct ipr_engine *e = NULL;
    struct ipr_err err = IPR_ERR_INIT;
    const char *path;

    if (ipr_engine_find(NULL, mem, &path, NULL) != IPR_OK) {
        print_message("skipped: no stockfish is installed\n");
        skip();
    }
    assert_ok(ipr_engine_start(path, judge, NULL, NULL, &e, &err), &err);
    return e;
}

static struct ipr_judged_game search(struct ipr_db_fixture *f, struct ipr_engine *e,
                                     const struct ipr_db_game *game,
                                     const struct ipr_judged_game *known_turns)
{
    const struct ipr_engine_task task = { .start = &game->start,
                                          .moves = game->moves,
                                          .n_moves = game->n_moves,
                                          .sides = 3,
                                          .known = known_turns };
    struct ipr_judged_game got = { 0 };

    assert_ok(ipr_engine_judge(e, &task, &f->mem, &got, NULL, &f->err), &f->err);
    return got;
}

/* A move that is none of those. */
static ipr_move other_move(const struct ipr_pos *pos, const ipr_move *moves, size_t n)
{
    ipr_move legal[IPR_MAX_MOVES];
    const size_t n_legal = ipr_pos_legal(pos, legal);

    for (size_t i = 0; i < n_legal; i++) {
        size_t at = 0;

        while (at < n && moves[at] != legal[i])
            at++;
        if (at == n)
            return legal[i];
    }
    fail_msg("there is no other move");
    return 0;
}

/* What one game has taught of another is what searching that one gives, to the byte; where they
 * part the move of the first was judged apart, and that of the other is one of the lines. */
static void test_stockfish(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_judge judge = ipr_sample_judge();

    judge.engine[0] = judge.network[0] = '\0';
    judge.depth = 4;
    struct ipr_engine *e = start_stockfish(&judge, &f->mem);
    judge = *ipr_engine_judge_of(e);
    assert_true(ipr_judge_is_pure(&judge));
    const int32_t id = judge_id(f, &judge);
    const struct ipr_db_game any = continue_game(f, SHARED_PLIES, 0, 1);
    const struct ipr_judged_turn parting = search(f, e, &any, NULL).turns[20];
    struct ipr_pos pos;

    ipr_pos_start(&pos);
    for (size_t i = 0; i < SHARED_PLIES; i++)
        ipr_pos_play(&pos, any.moves[i]);
    const struct ipr_db_game a = continue_game(f, SHARED_PLIES, other_move(&pos, parting.moves, 3),
                                               2),
                             b = continue_game(f, SHARED_PLIES, parting.moves[1], 3);
    const struct ipr_judged_game first = search(f, e, &a, NULL);
    assert_int_equal(first.turns[20].lines, 4);
    struct storing s = { id, &a, &first, { .source = "w1", .keyed = true } };

    assert_ok(ipr_db_tx(f->db, store_in_tx, &s, &f->err), &f->err);
    const struct ipr_judged_game taught = known(f, id, &judge, &b);
    assert_int_equal(taught.n, 21);
    const struct ipr_judged_game searched = search(f, e, &b, NULL),
                                 saved = search(f, e, &b, &taught);
    assert_int_equal(searched.n, b.n_moves - 16);
    assert_int_equal(saved.n, searched.n);
    for (size_t i = 0; i < saved.n; i++)
        assert_same_turn(&saved.turns[i], &searched.turns[i]);
    ipr_engine_stop(&e);
}

int main(void)
{
    struct CMUnitTest key_tests[sizeof pairs / sizeof *pairs] = { { 0 } };
    const struct CMUnitTest tests[] = {
        WITH_DB(test_shared_beginning), WITH_DB(test_apart),     WITH_DB(test_of_no_use),
        WITH_DB(test_popular),          WITH_DB(test_stockfish), WITH_DB(test_work),
        WITH_DB(test_private),
    };

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        key_tests[i].name = pairs[i].name;
        key_tests[i].test_func = test_keys;
        key_tests[i].initial_state = (void *)(uintptr_t)&pairs[i];
    }
    const int failed = _cmocka_run_group_tests("position keys", key_tests,
                                               sizeof pairs / sizeof *pairs, NULL, NULL);
    return failed + cmocka_run_group_tests_name("known turns", tests, NULL, NULL);
}
