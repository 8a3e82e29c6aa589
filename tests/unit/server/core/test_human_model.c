/* Networks of human moves from files: known moves, if they are there, and files that are none. */
#include "core/human_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ipr_test.h"
#include "model/strength_pools.h"

static size_t game_read(const char *uci, ipr_move moves[64], struct ipr_pos *pos)
{
    struct ipr_err err = IPR_ERR_INIT;
    char text[512], *rest = NULL;
    size_t n = 0;

    snprintf(text, sizeof text, "%s", uci);
    ipr_pos_start(pos);
    for (char *word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        assert_ok(ipr_move_from_uci(pos, ipr_str_c(word), &moves[n], &err), &err);
        ipr_pos_play(pos, moves[n++]);
    }
    return n;
}

/* Of the last move of a game, by the network of a level. */
static double last(const struct ipr_human *human, const char *uci, size_t net, bool *first)
{
    struct ipr_human_move m[64];
    struct ipr_pos start, end;
    ipr_move moves[64];
    const size_t n = game_read(uci, moves, &end);

    ipr_pos_start(&start);
    ipr_human_moves(human, &start, moves, n, m);
    *first = m[n - 1].first[net];
    return exp((double)m[n - 1].log_p[net]);
}

static void test_known_moves(void **state)
{
    const char *const folder = ipr_test_shared("data/maia");
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_human human;
    bool first;

    (void)state;
    if (folder == NULL) {
        print_message("test_known_moves: no networks of human moves\n");
        skip();
    }
    assert_ok(ipr_human_model_read(folder, &human, &err), &err);
    for (size_t k = 0; k < IPR_HUMAN_NETS; k++) {
        assert_true(last(&human, "e2e4", k, &first) + last(&human, "d2d4", k, &first) > .75);
        /* One recaptures, and castles where that is usual. */
        assert_true(last(&human, "e2e4 d7d5 e4d5 d8d5", k, &first) > .5 && first);
        assert_true(last(&human, "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6", k, &first) > .5);
        assert_true(last(&human, "d2d4 d7d5 c1f4 c8f5 b1c3 b8c6 d1d2 d8d7 e1c1", k, &first) > .3);
    }
    /* A mate in one is found more often, and a crude threat made less often, by stronger players.
     */
    static const char mate[] = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7", threat[] = "e2e4 e7e5 d1h5";
    assert_true(last(&human, mate, 8, &first) > last(&human, mate, 0, &first));
    assert_true(last(&human, threat, 0, &first) > 3 * last(&human, threat, 8, &first));
    ipr_human_free(&human);
}

/* A short draw between masters rates neither low; a game from elsewhere, and one too short, not at
 * all. */
static void test_sums(void **state)
{
    const struct ipr_strength_shipped *const fit = &ipr_strength_online_rapid_humans;
    const char *const folder = ipr_test_shared("data/maia");
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_side_sums sums[2];
    struct ipr_human human;
    struct ipr_pos start, end;
    ipr_move moves[64];

    (void)state;
    if (folder == NULL) {
        print_message("test_sums: no networks of human moves\n");
        skip();
    }
    assert_ok(ipr_human_model_read(folder, &human, &err), &err);
    ipr_pos_start(&start);
    const size_t n = game_read("e2e4 c7c6 d2d4 d7d5 b1c3 d5e4 c3e4 c8f5 e4g3 f5g6 h2h4 h7h6 g1f3 "
                               "b8d7 h4h5 g6h7 f1d3 h7d3 d1d3 e7e6 c1f4 d8a5 f4d2 a5c7 e1c1 g8f6 "
                               "g3e4 e8c8 g2g3 f6e4 d3e4 f8d6",
                               moves, &end);
    assert_true(ipr_human_model_sums(&human, fit, &start, moves, n, sums));
    for (unsigned c = 0; c < 2; c++) {
        assert_int_equal(sums[c].moves, 8);
        assert_int_equal(sums[c].information, IPR_STRENGTH_UNIT);
        assert_true(fit->human->mean + 100. * (double)sums[c].score / IPR_STRENGTH_UNIT > 1700);
    }
    assert_true(ipr_human_model_sums(&human, fit, &start, moves, 16, sums));
    assert_int_equal(sums[0].information, 0);
    assert_false(ipr_human_model_sums(&human, fit, &end, moves, 0, sums));
    ipr_human_free(&human);
}

static void test_none(void **state)
{
    char folder[] = "/tmp/human-XXXXXX", path[64];
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_human human;
    FILE *out;

    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(ipr_human_model_read(folder, &human, &err), IPR_EIO);
    assert_non_null(strstr(err.msg, "maia-1100.pb.gz cannot be read"));
    snprintf(path, sizeof path, "%s/maia-1100.pb.gz", folder);
    out = fopen(path, "w");
    assert_non_null(out);
    fputs("not a network", out);
    fclose(out);
    ipr_err_clear(&err);
    assert_int_equal(ipr_human_model_read(folder, &human, &err), IPR_EDATA);
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_moves),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
