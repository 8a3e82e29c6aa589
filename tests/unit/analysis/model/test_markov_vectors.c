/* The Markov model against vectors/markov.json (an independent implementation). */
#include "model/markov.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "ipr_test_vectors.h"
#include "model/markov_side.h"

#define CHECK(got, object, key, tol)                                                               \
    ipr_test_near((got), ipr_test_num(object, key), (tol), "%s", key)

static struct ipr_markov_params vector_params(const char *model)
{
    struct ipr_markov_params p = ipr_markov_default();

    p.empty_row = IPR_EMPTY_ROW_IDENTITY;
    p.replicates = 0;
    if (strcmp(model, "10") == 0)
        p.classes = ipr_markov_classes_10();
    return p;
}

static void check_classes(const json_t *c)
{
    const json_t *cp = ipr_test_get(ipr_test_get(c, "inputs"), "cp");
    const json_t *w = ipr_test_get(c, "expected");
    const struct ipr_markov_classes c19 = ipr_markov_classes_19();
    const struct ipr_markov_classes c10 = ipr_markov_classes_10();

    for (size_t i = 0; i < json_array_size(cp); i++) {
        const int v = (int)json_integer_value(json_array_get(cp, i));
        assert_int_equal(ipr_markov_class(&c19, v),
                         json_integer_value(json_array_get(ipr_test_get(w, "class19"), i)));
        assert_int_equal(ipr_markov_class(&c10, v),
                         json_integer_value(json_array_get(ipr_test_get(w, "class10"), i)));
        assert_int_equal(ipr_markov_class(&c19, -v), 18 - ipr_markov_class(&c19, v));
    }
}

static size_t read_pairs(const json_t *pairs, int32_t year, struct ipr_markov_turn *out)
{
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        const json_t *p = json_array_get(pairs, i);
        out[i] = (struct ipr_markov_turn){
            .game = year * 1000 + (int32_t)i / 30,
            .year = year,
            .best_cp = (int16_t)json_integer_value(json_array_get(p, 0)),
            .played_cp = (int16_t)json_integer_value(json_array_get(p, 1)),
        };
    }
    return json_array_size(pairs);
}

/* A list of pairs, or lists by year. */
static struct ipr_markov_player read_player(json_t *o, int32_t year)
{
    struct ipr_markov_turn *turns = ipr_xcalloc(10000, sizeof *turns);
    const char *key;
    json_t *v;
    size_t n = 0;

    if (json_is_array(o)) {
        n = read_pairs(o, 0, turns);
    } else {
        json_object_foreach(o, key, v) {
            n += read_pairs(v, (int32_t)strtol(key, NULL, 10), turns + n);
        }
    }
    return (struct ipr_markov_player){ turns, n, year };
}

static void check_square(const json_t *want, const double *got, size_t n, double tol,
                         const char *what)
{
    for (size_t i = 0; i < n * n; i++)
        ipr_test_near(got[i], json_number_value(json_array_get(json_array_get(want, i / n), i % n)),
                      tol, "%s %zu,%zu", what, i / n, i % n);
}

static void check_player(const json_t *c, const json_t *w, const struct ipr_markov_player *p,
                         const struct ipr_markov_classes *classes, double *matrix)
{
    const double tol = ipr_test_tol(c, 1.0);
    double counts[19 * 19] = { 0 };
    double black[19 * 19];

    ipr_markov_count(classes, p->turns, p->n, p->year, counts);
    ipr_markov_fill(counts, NULL, classes->n, matrix);
    ipr_markov_mirror(matrix, classes->n, black);
    if (w == NULL)
        return;
    check_square(ipr_test_get(w, "counts"), counts, classes->n, tol, "counts");
    check_square(ipr_test_get(w, "matrix"), matrix, classes->n, tol, "matrix");
    check_square(ipr_test_get(w, "black_matrix"), black, classes->n, tol, "black matrix");
}

static void check_outcome(const json_t *c, const json_t *w, const struct ipr_markov_outcome *o)
{
    const double tol = ipr_test_tol(c, 1.0);

    CHECK(o->win, w, "win", tol);
    CHECK(o->draw, w, "draw", tol);
    CHECK(o->loss, w, "loss", tol);
    CHECK(o->expected, w, "expected", tol);
}

/* The chain of player 1 as White; f and s from check_player. */
static void check_stationary(const json_t *c, const json_t *w, const struct ipr_markov_player *p1,
                             const struct ipr_markov_player *p2, const double *f, const double *s,
                             const struct ipr_markov_params *params)
{
    const size_t n = params->classes.n;
    struct ipr_markov_chain *chain = ipr_xcalloc(2, sizeof *chain);
    struct ipr_err err = IPR_ERR_INIT;
    double black[19 * 19];

    assert_ok(ipr_markov_chains(p1, p2, NULL, params, chain, &err), &err);
    assert_int_equal(chain[0].recurrent, ipr_test_num(w, "recurrent_classes"));
    ipr_markov_mirror(s, n, black);
    assert_memory_equal(chain[0].white, f, n * n * sizeof *f);
    assert_memory_equal(chain[0].black, black, n * n * sizeof *s);
    for (size_t i = 0; i < n; i++) {
        double row = 0.0;
        for (size_t j = 0; j < n; j++)
            row += chain[0].product[i * n + j];
        assert_close(row, 1.0, 1e-12);
        ipr_test_near(chain[0].stationary[i],
                      json_number_value(json_array_get(ipr_test_get(w, "stationary"), i)),
                      ipr_test_tol(c, 1.0), "pi %zu", i);
    }
    free(chain);
}

static void check_match(const json_t *c)
{
    const json_t *in = ipr_test_get(c, "inputs");
    const json_t *w = ipr_test_get(c, "expected");
    const struct ipr_markov_params params =
        vector_params(json_string_value(ipr_test_get(in, "model")));
    const int32_t year = ipr_test_has(in, "year") ? (int32_t)ipr_test_num(in, "year") : 0;
    json_t *from = json_object_get(in, "transitions_vb_vp");
    const json_t *holder = from != NULL ? from : in;
    struct ipr_markov_player p1 = read_player(json_object_get(holder, "player1"), year);
    struct ipr_markov_player p2 = read_player(json_object_get(holder, "player2"), year);
    struct ipr_markov_prediction got;
    struct ipr_err err = IPR_ERR_INIT;
    double f[19 * 19];
    double s[19 * 19];

    check_player(c, json_object_get(w, "player1"), &p1, &params.classes, f);
    check_player(c, json_object_get(w, "player2"), &p2, &params.classes, s);
    check_stationary(c, ipr_test_has(w, "player1_white") ? ipr_test_get(w, "player1_white") : w,
                     &p1, &p2, f, s, &params);
    assert_ok(ipr_markov_predict(&p1, &p2, NULL, &params, &got, &err), &err);
    check_outcome(c, ipr_test_get(ipr_test_get(w, "match"), "as_white"), &got.as_white);
    check_outcome(c, ipr_test_get(ipr_test_get(w, "match"), "as_black"), &got.as_black);
    check_outcome(c, ipr_test_get(ipr_test_get(w, "match"), "mean"), &got.mean);
    free((void *)(uintptr_t)p1.turns);
    free((void *)(uintptr_t)p2.turns);
}

static void check_chain(const json_t *c)
{
    const json_t *in = ipr_test_get(c, "inputs");
    const json_t *w = ipr_test_get(c, "expected");
    const json_t *m = ipr_test_get(in, "matrix");
    const size_t n = json_array_size(m);
    double p[IPR_CHAIN_MAX * IPR_CHAIN_MAX];
    double pi[IPR_CHAIN_MAX];
    unsigned recurrent;

    for (size_t i = 0; i < n * n; i++)
        p[i] = json_number_value(json_array_get(json_array_get(m, i / n), i % n));
    assert_int_equal(ipr_chain_limit(p, n, (size_t)ipr_test_num(in, "start"), pi, &recurrent, NULL),
                     IPR_OK);
    assert_int_equal(recurrent, ipr_test_num(w, "recurrent_classes"));
    for (size_t i = 0; i < n; i++)
        ipr_test_near(pi[i], json_number_value(json_array_get(ipr_test_get(w, "stationary"), i)),
                      ipr_test_tol(c, 1.0), "pi %zu", i);
}

static void test_vectors(void **state)
{
    json_t *file = ipr_test_vectors("markov.json");
    size_t i;
    json_t *c;

    (void)state;
    json_array_foreach(json_object_get(file, "cases"), i, c) {
        const json_t *in = ipr_test_get(c, "inputs");
        if (ipr_test_has(in, "cp"))
            check_classes(c);
        else if (ipr_test_has(in, "matrix"))
            check_chain(c);
        else
            check_match(c);
    }
    json_decref(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
