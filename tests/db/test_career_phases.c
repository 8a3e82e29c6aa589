/* Phases of a career: what their moves add up to, and what they need. */
#include "view/player/career.h"

#include "db/strength.h"
#include "evidence.h"
#include "view/game/report.h"

static enum ipr_code phases_of(struct ipr_view_scene *s, const char *name, unsigned phases,
                               struct ipr_db_strength *sums, struct ipr_db_year_strength **years,
                               size_t *n, size_t *without)
{
    const struct ipr_db_scope scope = ipr_db_scope_year(person(name), 0, IPR_TIME_SET_DEFAULT);
    struct ipr_view_context c;
    size_t games = 0;

    *without = 0;
    assert_ok(ipr_setting_for(&s->view, IPR_FOR_LINES, NULL, &c, &s->err), &s->err);
    const enum ipr_code rc =
        ipr_career_phases(&c, &scope, phases, sums, years, n, &games, without, &s->err);
    ipr_view_context_close(&c);
    return rc;
}

/* To the last digit: of all years together, and of each. */
static void test_phases_add_up(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_db_year_strength *years = NULL, *whole_years = NULL;
    struct ipr_db_strength part, whole, sum = { 0 };
    int64_t of_year[2] = { 0 };
    size_t n = 0, n_whole = 0, without = 0;

    scene_fill(s);
    const struct ipr_db_scope scope = ipr_db_scope_year(person("Ann"), 0, IPR_TIME_SET_DEFAULT);
    assert_ok(ipr_db_strength_of_scope(s->db, &scope, 1, &whole, &s->err), &s->err);
    assert_ok(
        ipr_db_strength_of_scope_years(s->db, &scope, &s->mem, &whole_years, &n_whole, &s->err),
        &s->err);
    assert_int_equal(n_whole, 2);
    for (unsigned phase = 0; phase < IPR_PHASES; phase++) {
        assert_ok(phases_of(s, "Ann", 1u << phase, &part, &years, &n, &without), &s->err);
        assert_int_equal(without, 0);
        sum.score += part.score;
        sum.information += part.information;
        sum.moves += part.moves;
        for (size_t i = 0; i < n; i++)
            of_year[years[i].year - 2001] += years[i].score;
    }
    assert_int_equal(sum.score, whole.score);
    assert_int_equal(sum.information, whole.information);
    assert_int_equal(sum.moves, whole.moves);
    assert_ok(phases_of(s, "Ann", 3u, &part, &years, &n, &without), &s->err);
    assert_true(part.moves > 0 && part.games <= whole.games);
    for (size_t i = 0; i < n_whole; i++) {
        assert_int_equal(of_year[i], whole_years[i].score);
        assert_int_equal(years[i].year, 2001 + (int)i);
    }
}

/* Games of which only figures are stored are counted, and too many are refused. */
static void test_phases_need_moves(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_db_year_strength *years = NULL;
    struct ipr_db_strength sums;
    size_t n = 0, without = 0;

    scene_fill(s);
    ipr_db_test_sql("DELETE FROM side_turns WHERE game_id IN (SELECT id FROM game WHERE year = "
                    "2002)");
    assert_ok(phases_of(s, "Ann", 2u, &sums, &years, &n, &without), &s->err);
    assert_int_equal(without, 1);
    assert_int_equal(n, 1);
    ipr_db_test_sql("DELETE FROM side_turns");
    assert_ok(phases_of(s, "Ann", 2u, &sums, &years, &n, &without), &s->err);
    assert_int_equal(without, GAMES);
    assert_int_equal(sums.information, 0);
    ipr_db_test_sql(COPIES("1", "3997"));
    assert_int_not_equal(phases_of(s, "Ann", 2u, &sums, &years, &n, &without), IPR_OK);
    assert_non_null(strstr(s->err.msg, "4000 analysed games"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_VIEW(test_phases_add_up),
        WITH_VIEW(test_phases_need_moves),
    };

    return cmocka_run_group_tests_name("phases of a career", tests, NULL, NULL);
}
