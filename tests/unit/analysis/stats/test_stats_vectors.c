/* Held to vectors/stats.json (an independent implementation). */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "ipr_test_vectors.h"
#include "stats/clustered.h"
#include "stats/interval.h"
#include "stats/line.h"

enum { ROOM = 4096 };

static void check_interval(const json_t *c, const struct ipr_interval *got)
{
    double want[2];

    ipr_test_array(ipr_test_get(ipr_test_get(c, "expected"), "interval"), want, 2);
    ipr_test_near(got->lo, want[0], ipr_test_tol(c, want[0]), "low");
    ipr_test_near(got->hi, want[1], ipr_test_tol(c, want[1]), "high");
}

static void check_wilson(const json_t *c)
{
    const json_t *in = ipr_test_get(c, "inputs");
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_interval got;

    assert_ok(ipr_stats_wilson((unsigned long)ipr_test_num(in, "k"),
                               (unsigned long)ipr_test_num(in, "n"), IPR_Z95, &got, &err),
              &err);
    check_interval(c, &got);
}

static void check_share(const json_t *c)
{
    const json_t *in = ipr_test_get(c, "inputs");
    const json_t *w = ipr_test_get(c, "expected");
    const json_t *hits = ipr_test_get(in, "hits");
    const size_t n = json_array_size(hits);
    bool *hit = ipr_xcalloc(n, sizeof *hit);
    int32_t *game = ipr_xcalloc(n, sizeof *game);
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_share s;

    for (size_t i = 0; i < n; i++) {
        hit[i] = json_number_value(json_array_get(hits, i)) > 0.5;
        game[i] = (int32_t)json_integer_value(json_array_get(ipr_test_get(in, "games"), i));
    }
    assert_ok(ipr_stats_share(hit, game, n, &s, &err), &err);
    ipr_test_near(s.share, ipr_test_num(w, "share"), ipr_test_tol(c, 1.0), "share");
    ipr_test_near(s.se, ipr_test_num(w, "se"), ipr_test_tol(c, 1.0), "se");
    ipr_test_near(s.n_eff, ipr_test_num(w, "n_eff"), 1e-6, "n_eff");
    check_interval(c, &s.clustered);
    free(hit);
    free(game);
}

static void check_pairs(const json_t *c)
{
    const json_t *in = ipr_test_get(c, "inputs");
    const json_t *w = ipr_test_get(c, "expected");
    double *v = ipr_xcalloc(3 * ROOM, sizeof *v);
    const size_t n = ipr_test_array(ipr_test_get(in, "x"), v, ROOM);
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_line l;
    double rho;

    ipr_test_array(ipr_test_get(in, "y"), v + ROOM, ROOM);
    if (ipr_test_has(w, "rho")) {
        assert_ok(ipr_stats_pearson(v, v + ROOM, n, &rho, &err), &err);
        ipr_test_near(rho, ipr_test_num(w, "rho"), ipr_test_tol(c, 1.0), "rho");
    } else {
        ipr_test_array(ipr_test_get(in, "w"), v + 2 * ROOM, ROOM);
        assert_ok(ipr_stats_line(v, v + ROOM, v + 2 * ROOM, n, &l, &err), &err);
        ipr_test_near(l.a, ipr_test_num(w, "a"), ipr_test_tol(c, ipr_test_num(w, "a")), "a");
        ipr_test_near(l.b, ipr_test_num(w, "b"), ipr_test_tol(c, ipr_test_num(w, "b")), "b");
        ipr_test_near(l.residual_variance, ipr_test_num(w, "resid_var"),
                      ipr_test_tol(c, ipr_test_num(w, "resid_var")), "residual variance");
    }
    free(v);
}

static void test_vectors(void **state)
{
    json_t *file = ipr_test_vectors("stats.json");
    size_t i;
    json_t *c;

    (void)state;
    json_array_foreach(json_object_get(file, "cases"), i, c) {
        const json_t *in = ipr_test_get(c, "inputs");
        if (ipr_test_has(in, "k"))
            check_wilson(c);
        else if (ipr_test_has(in, "hits"))
            check_share(c);
        else
            check_pairs(c);
    }
    json_decref(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_vectors) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
