/* Answers that another program gives as a CSV: their score is known where they tell nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "lab/report.h"

#define ELOS  13 /* 1600, 1700, ... 2800 */
#define SIDES ((size_t)ELOS * 160)

static void report_make(struct bench_report *r)
{
    *r = (struct bench_report){ .prior_mean = 2200, .prior_sd = 374 };
    r->d.n_sides = SIDES;
    r->d.side = ipr_xcalloc(SIDES, sizeof *r->d.side);
    r->take = ipr_xcalloc(SIDES, sizeof *r->take);
    r->fit = ipr_xcalloc(SIDES, sizeof *r->fit);
    for (size_t i = 0; i < SIDES; i++) {
        r->d.side[i] =
            (struct bench_side){ .player = (uint32_t)i, .elo = 1600 + 100 * (double)(i % ELOS) };
        r->take[i] = r->fit[i] = true;
    }
}

static void report_free(struct bench_report *r)
{
    for (size_t k = 0; k < r->n; k++)
        free(r->entry[k].answer);
    free(r->fit);
    free(r->take);
    free(r->d.side);
}

/* Writes a CSV of `slope` Elo / 100 plus or minus 1, in equal number at every Elo, and reads it. */
static bool report_entry(struct bench_report *r, double slope, const char *end)
{
    char path[] = "/tmp/test_report.XXXXXX";
    const int fd = mkstemp(path);
    FILE *out = fdopen(fd, "w");
    bool ok;

    assert_non_null(out);
    for (size_t i = 0; i < SIDES; i++)
        fprintf(out, "%zu,%.9g,%d\n", i,
                slope * r->d.side[i].elo / 100 + (i / ELOS % 2 == 0 ? 1 : -1),
                i / ELOS % 4 < 2 ? 1 : 4);
    fputs(end, out);
    fclose(out);
    ok = bench_report_read(r, path);
    unlink(path);
    return ok;
}

/* Of answers that do not depend on Elo nothing but the prior is known: their MAE is the mean's.
 * Answers that follow Elo within 1 / slope of 100 Elo are that far off at the most. */
static void test_known_scores(void **state)
{
    struct bench_report r;
    struct bench_errors e;

    (void)state;
    report_make(&r);
    assert_true(report_entry(&r, 0, ""));
    assert_true(report_entry(&r, 10, ""));
    bench_report_fit(&r);
    e = bench_one_game(&r, &r.entry[0]);
    assert_close(e.n, (double)SIDES, 0);
    assert_close(e.flat_absolute / e.n, 4200. / 13, 1e-6);
    assert_close(e.absolute / e.n, e.flat_absolute / e.n, 1);
    assert_close(sqrt(e.square / e.n), sqrt(e.flat_square / e.n), 1);
    e = bench_one_game(&r, &r.entry[1]);
    assert_close(e.flat_absolute / e.n, 4200. / 13, 1e-6);
    assert_close(e.absolute / e.n, 10, 1);
    report_free(&r);
}

/* Two games of a player have in common how far the player is off, 100 Elo either way; games of an
 * event have not; play improves by 40 Elo a decade. */
static void test_levels(void **state)
{
    struct bench_report r;
    struct ipr_strength_side *answer;
    json_t *levels, *effects;

    (void)state;
    report_make(&r);
    answer = bench_report_new(&r, "sides in common");
    for (size_t i = 0; i < SIDES; i++) {
        struct bench_side *s = &r.d.side[i];

        s->game = i;
        s->player = (uint32_t)(i % ELOS + ELOS * (i / (2 * ELOS)));
        s->event = (uint32_t)(i / ELOS / 4);
        s->year = 1980 + 10 * (int)(i / ELOS % 2);
        answer[i].player = s->player;
        answer[i].information = 1 + (double)(i % 3);
        answer[i].z =
            s->elo / 100 + (s->player / ELOS % 2 == 0 ? 1 : -1) + .4 * (s->year - 1985) / 10;
    }
    bench_report_fit(&r);
    levels = bench_levels(&r, &r.entry[0]);
    assert_close(json_number_value(json_object_get(json_array_get(levels, 0), "covariance")), 1e4,
                 600);
    assert_close(json_number_value(json_object_get(json_array_get(levels, 0), "pairs")), SIDES / 2,
                 0);
    assert_true(fabs(json_number_value(json_object_get(json_array_get(levels, 3), "covariance"))) <
                1000);
    effects = bench_effects(&r, &r.entry[0]);
    assert_close(json_number_value(json_object_get(json_array_get(effects, 0), "elo")), 40, 1);
    json_decref(effects);
    json_decref(levels);
    report_free(&r);
}

/* Sides of 30 moves are sets of 30. Those of a level are from 200 Elo, those of blind players from
 * none of the others. */
static void test_null_of_levels(void **state)
{
    struct bench_report r;
    const json_t *row;
    json_t *rows;
    size_t k, levels = 0;

    (void)state;
    report_make(&r);
    assert_true(report_entry(&r, 1, ""));
    for (size_t i = 0; i < SIDES; i++) {
        struct bench_side *s = &r.d.side[i];

        s->moves = 30;
        s->event = (uint32_t)i;
        s->year = 1980 + 10 * (int)(i / ELOS % 4);
        s->fold = (unsigned)(i / ELOS % BENCH_FOLDS);
        s->blind = s->blind_game = i / ELOS < 40;
        r.take[i] = r.fit[i] = !s->blind;
    }
    bench_report_fit(&r);
    for (int blind = 0; blind < 2; blind++) {
        r.blind = blind != 0;
        rows = bench_null(&r, &r.entry[0]);
        json_array_foreach(rows, k, row) {
            const json_t *const elo = json_object_get(row, "elo");
            const double low = json_number_value(json_object_get(elo, "low"));

            if (json_is_null(elo) || json_integer_value(json_object_get(row, "moves")) != 30)
                continue;
            levels++;
            assert_close(json_number_value(json_object_get(row, "sets")),
                         (low < 2800 ? 2 : 1) * (blind ? 40 : 120), 0);
        }
        json_decref(rows);
    }
    assert_int_equal(levels, 2 * 7);
    report_free(&r);
}

/* Half a file is not taken for a whole one. */
static void test_malformed(void **state)
{
    struct bench_report r;

    (void)state;
    report_make(&r);
    assert_false(report_entry(&r, 0, "7;1;1\n"));
    assert_false(bench_report_read(&r, "/tmp/absent/entry.csv"));
    report_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_scores),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_null_of_levels),
        cmocka_unit_test(test_malformed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
