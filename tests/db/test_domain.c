/* Games of another game than chess: simulated agents are rated, compared and predicted by the same
 * code, and never share a database with chess players. */
#include "ipr_view_sample.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "db/judges.h"
#include "ingest/ingest.h"
#include "ipr_db_test.h"
#include "ipr_pack_test.h"
#include "ipr_test.h"
#include "view/game/game.h"
#include "view/json.h"

#define AGENTS 5
#define PLIES  80
#define ROUNDS 4 /* games of each pair with each colour */
#define MOVES  8 /* to choose from in each position */

/* ---- agents ---- */

static double uniform(uint64_t *x)
{
    *x = *x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double)(*x >> 11) + 0.5) / 9007199254740992.0;
}

static double gumbel(uint64_t *x)
{
    return -log(-log(uniform(x)));
}

static int elo_of(int agent)
{
    return 1600 + 200 * agent;
}

/* Noise of an agent's view of a move, in centipawns: each is stronger than the one before. */
static double noise_of(int agent)
{
    return 120.0 * pow(0.7, agent);
}

static int limited(double cp)
{
    return (int)fmax(-1000.0, fmin(1000.0, round(cp)));
}

struct side {
    struct ipr_buf column[4]; /* best, second, played, legal */
};

/* Values of the moves, best first; the agent plays the one that it takes for the best. */
static int turn_play(struct side *s, int agent, int value, uint64_t *x)
{
    double loss[MOVES] = { 0 }, top = -INFINITY;
    int played = 0;

    for (int i = 1; i < MOVES; i++)
        loss[i] = loss[i - 1] - 25.0 * log(uniform(x));
    for (int i = 0; i < MOVES; i++) {
        const double seen = gumbel(x) * noise_of(agent) - loss[i];

        if (seen <= top)
            continue;
        top = seen;
        played = i;
    }
    const int figures[] = { value, limited(value - loss[1]), limited(value - loss[played]), MOVES };
    for (size_t c = 0; c < 4; c++)
        ipr_buf_printf(&s->column[c], "%s%d", s->column[c].n > 0 ? "," : "", figures[c]);
    return figures[2];
}

static void side_put(struct ipr_buf *out, struct side *s, const char *mover)
{
    static const char *const name[] = { "best", "second", "played", "legal" };

    ipr_buf_printf(out, "{\"mover\":\"%s\"", mover);
    for (size_t c = 0; c < 4; c++) {
        ipr_buf_printf(out, ",\"%s\":[%s]", name[c], ipr_buf_c(&s->column[c]));
        ipr_buf_release(&s->column[c]);
    }
    ipr_buf_putc(out, '}');
}

static void game_put(struct ipr_buf *out, int white, int black, int n, uint64_t *x)
{
    struct side side[2] = { 0 };
    int value = 0; /* for the side to move; there is luck, and advantages fade */

    for (int ply = 0; ply < PLIES; ply++)
        value = limited(-0.9 * turn_play(&side[ply % 2], ply % 2 == 0 ? white : black, value, x) +
                        60.0 * (gumbel(x) - gumbel(x)));
    const char *const result = value > 100 ? "1-0" : value < -100 ? "0-1" : "1/2-1/2";
    ipr_buf_printf(
        out,
        "{\"tags\":{\"Event\":\"League\",\"Date\":\"2020.01.%02d\",\"White\":\"Agent %d\","
        "\"Black\":\"Agent %d\",\"WhiteElo\":\"%d\",\"BlackElo\":\"%d\"},\"result\":"
        "\"%s\",\"domain\":\"stones\",\"moves\":{\"plies\":%d,\"key\":\"%016d\"},"
        "\"judge\":{\"name\":\"oracle\",\"engine\":\"Oracle 1\",\"network\":\"\","
        "\"multipv\":2,\"limit\":{\"nodes\":1},\"threads\":1,\"hash_mb\":1,\"clear\":"
        "\"position\",\"first_move\":1},\"figures\":[",
        n % 28 + 1, white, black, elo_of(white), elo_of(black), result, PLIES, n + 1);
    side_put(out, &side[0], "w");
    ipr_buf_putc(out, ',');
    side_put(out, &side[1], "b");
    ipr_buf_puts(out, "]}\n");
}

static const char *league(struct ipr_view_scene *s)
{
    struct ipr_buf out = IPR_BUF_INIT;
    uint64_t x = 20201;
    int n = 0;

    for (int round = 0; round < ROUNDS; round++)
        for (int white = 0; white < AGENTS; white++)
            for (int black = 0; black < AGENTS; black++)
                if (white != black)
                    game_put(&out, white, black, n++, &x);
    const char *const text = ipr_arena_strndup(&s->mem, ipr_buf_c(&out), out.n);
    ipr_buf_release(&out);
    return text;
}

/* ---- what is made of them ---- */

static struct ipr_ingest_result import(struct ipr_view_scene *s, const char *text)
{
    const struct ipr_ingest_options options = {
        .source = "test", .priority = 5, .owner = "local", .max_bytes = 1 << 28, .again = true
    };
    const int fd = ipr_pack_plain(text, strlen(text));
    struct ipr_ingest_result r = { 0 };

    assert_ok(ipr_ingest_fd(s->db, fd, &options, &r, &s->err), &s->err);
    close(fd);
    return r;
}

static int32_t agent_id(int agent)
{
    char name[16];

    snprintf(name, sizeof name, "Agent %d", agent);
    return ipr_db_test_player(name);
}

static double rated(struct ipr_view_scene *s, int agent, const char *path)
{
    struct ipr_ratings_request p = IPR_RATINGS_REQUEST_INIT;
    json_t *out = NULL;

    p.player = agent_id(agent);
    p.year = 2020;
    p.judge = "oracle";
    p.include = IPR_RATINGS_INCLUDE_GAIN;
    assert_ok(ipr_view_ratings(&s->view, &p, &out, &s->err), &s->err);
    const double value = ipr_json_at(out, path, NAN);
    if (!isfinite(value))
        fail_msg("no %s", path);
    json_decref(out);
    return value;
}

static double predicted(struct ipr_view_scene *s, int white, int black, const char *path)
{
    struct ipr_prediction_request p = IPR_PREDICTION_REQUEST_INIT;
    json_t *out = NULL;

    p.white = (struct ipr_param_side){ .player = agent_id(white), .year = 2020 };
    p.black = (struct ipr_param_side){ .player = agent_id(black), .year = 2020 };
    p.judge = "oracle";
    p.replicates = 0;
    assert_ok(ipr_view_prediction(&s->view, &p, &out, &s->err), &s->err);
    const double value = ipr_json_at(out, path, NAN);
    if (!isfinite(value))
        fail_msg("no %s", path);
    json_decref(out);
    return value;
}

static void test_agents(void **state)
{
    static const char *const scores[] = { "predictions.markov.expected",
                                          "predictions.covariance.expected",
                                          "predictions.conformance.expected",
                                          "predictions.elo.expected" };
    struct ipr_view_scene *s = *state;

    const struct ipr_ingest_result r = import(s, league(s));
    assert_int_equal(r.rejected, 0);
    assert_int_equal(r.imported, ROUNDS * AGENTS * (AGENTS - 1));
    for (int i = 1; i < AGENTS; i++) {
        assert_true(rated(s, i, "conformance.at_0.share") >
                    rated(s, i - 1, "conformance.at_0.share"));
        assert_true(rated(s, i, "conformance.mean_loss") <
                    rated(s, i - 1, "conformance.mean_loss"));
        for (size_t k = 0; k < sizeof scores / sizeof *scores; k++) {
            assert_true(predicted(s, i, i - 1, scores[k]) > 0.5);
            assert_true(predicted(s, i - 1, i, scores[k]) < 0.5);
        }
    }
    assert_true(rated(s, AGENTS - 1, "elo.performance.estimate") >
                rated(s, 0, "elo.performance.estimate"));
}

static void test_exported(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_buf line = IPR_BUF_INIT;
    const char *const text = league(s);

    import(s, text);
    const int32_t judge = (int32_t)ipr_db_test_int("SELECT id FROM judge");
    assert_ok(ipr_db_judge_get(s->db, judge, &s->judge, &s->err), &s->err);
    assert_ok(ipr_evaluations_line(s->db, ipr_db_test_int("SELECT min(id) FROM game"), judge,
                                   &s->judge, false, NULL, &line, &s->err),
              &s->err);
    const char *const from = strstr(ipr_buf_c(&line), "\"domain\":\"stones\"");
    const char *const end = strchr(text, '\n') + 1;
    assert_non_null(from);
    assert_string_equal(from, ipr_arena_strndup(&s->mem, strstr(text, "\"domain\""),
                                                (size_t)(end - strstr(text, "\"domain\""))));
    ipr_buf_release(&line);
}

/* Chess and this game do not come together, whichever was first. */
static void test_apart(void **state)
{
    static const char chess[] = "[White \"Agent 1\"]\n[Black \"Ann\"]\n[Result \"1-0\"]\n\n"
                                "1. e4 e5 2. Nf3 1-0\n\n";
    struct ipr_view_scene *s = *state;
    const char *const text = league(s);

    assert_int_equal(import(s, chess).imported, 1);
    struct ipr_ingest_result r = import(s, text);
    assert_int_equal(r.imported, 0);
    assert_int_equal(r.rejected, ROUNDS * AGENTS * (AGENTS - 1));
    assert_string_equal(ipr_db_test_sql("SELECT DISTINCT type || ': ' || detail FROM upload_error"),
                        "other_domain: The stored games are of chess, this one is of stones: import"
                        " it into a database of its own.");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM player WHERE name LIKE 'Agent%'"), 1);

    /* Without games the database can have others. */
    (void)ipr_db_test_sql("SET client_min_messages = warning; TRUNCATE upload, game CASCADE;");
    r = import(s, text);
    assert_int_equal(r.rejected, 0);
    r = import(s, chess);
    assert_int_equal(r.rejected, 1);
    assert_int_equal(r.imported, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { WITH_VIEW(test_agents), WITH_VIEW(test_exported),
                                        WITH_VIEW(test_apart) };

    return cmocka_run_group_tests_name("domain", tests, NULL, NULL);
}
