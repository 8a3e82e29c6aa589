/* Ratings with a real database equal the models on the same turns. */
#include "ratings.h"

static void check_distribution(const json_t *d, const struct ipr_conformance *r)
{
    double share[IPR_LOSS_CLASSES], up[IPR_LOSS_CLASSES];
    const json_t *one;
    size_t i;

    assert_ok(ipr_conformance_shares(r->classes, share, up, NULL), NULL);
    assert_true(json_array_size(d) > 2);
    json_array_foreach(d, i, one) {
        if (i + 1 < IPR_LOSS_CLASSES)
            same_number(one, "loss", (double)i / 10.0);
        same_number(one, "share", share[i]);
        same_number(one, "cumulative", up[i]);
    }
    same_number(json_array_get(d, json_array_size(d) - 1), "cumulative", 1.0);
    assert_true(r->classes[json_array_size(d) - 1] > 0.0);
}

static void conformance_has_three_forms(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_loss_line up, down;

    add_games(s, 1, 14, "Form, A", "Form, B", 2001);
    const int32_t id = ipr_db_test_player("Form, A");
    const struct ipr_db_scope scope = ipr_db_scope_year(id, 2001, IPR_TIME_SET_DEFAULT);
    json_t *r = ratings(s, id, year(2001));
    const json_t *c = json_object_get(r, "conformance");
    struct ipr_conformance want = conformance_of(s, scope, IPR_WINDOW_CONFORMANCE, IPR_LOSS_RAW);
    check_form(r, "conformance", &want); /* the form that lists use */
    check_distribution(json_object_get(c, "distribution"), &want);
    const size_t raw_turns = want.turns;
    want = conformance_of(s, scope, IPR_WINDOW_GUID_BRATKO, IPR_LOSS_RAW);
    check_form(c, "guid_bratko", &want);
    assert_true(want.turns < raw_turns);
    same_number(c, "guid_bratko.window.limit_pawns", 2.0);
    assert_true(ipr_json_at(c, "guid_bratko.excluded.decided", 0.0) > 0.0);
    want = conformance_of(s, scope, IPR_WINDOW_CONFORMANCE, IPR_LOSS_WEIGHTED);
    check_form(c, "weighted", &want);
    same_number(c, "weighted.k1", 0.75);
    same_number(c, "weighted.k2", -3.3);

    const struct counted turns = counted(s, scope, IPR_WINDOW_CONFORMANCE);
    ipr_conformance_loss_lines(turns.all.turns, turns.keep, turns.n, IPR_PLAYED_PLACED, &up, &down);
    assert_true(up.known && down.known);
    same_number(c, "loss_lines.positive.a", up.a);
    same_number(c, "loss_lines.positive.b_over_a", up.b_over_a);
    same_number(c, "loss_lines.negative.b", down.b);
    same_number(c, "loss_lines.negative.turns", (double)down.n);
    json_decref(r);
}

/* Of the turns of all years. */
static struct ipr_share accumulated(struct ipr_view_scene *s, int32_t id, int y, double threshold)
{
    const struct ipr_conformance_params p = IPR_CONFORMANCE_INIT;
    const struct counted c =
        counted(s, ipr_db_scope_year(id, 0, IPR_TIME_SET_DEFAULT), IPR_WINDOW_CONFORMANCE);
    struct ipr_share share;

    assert_ok(
        ipr_conformance_accumulated(&p, c.all.turns, c.keep, c.n, y, threshold, &share, &s->err),
        &s->err);
    return share;
}

static void check_accumulated(struct ipr_view_scene *s, const json_t *r, int32_t id, int y)
{
    const struct ipr_share at_0 = accumulated(s, id, y, 0.0), at_30 = accumulated(s, id, y, 0.3);
    const json_t *a = ipr_json_find(r, "conformance.accumulated");

    same_share(a, "at_0", &at_0);
    same_share(a, "at_30", &at_30);
    same_number(a, "turns", (double)at_0.trials);
    same_number(a, "games", (double)at_0.games);
    same_number(a, "year", y);
    const struct counted all =
        counted(s, ipr_db_scope_year(id, 0, IPR_TIME_SET_DEFAULT), IPR_WINDOW_CONFORMANCE);
    if (at_0.trials == all.n) /* no later year: all years count */
        for (int i = 0; i < IPR_EXCLUDED_REASONS; i++) {
            char path[80];

            snprintf(path, sizeof path, "excluded.%s", ipr_excluded_name((enum ipr_excluded)i));
            assert_close(ipr_json_at(a, path, 0.0), (double)all.counts.excluded[i], 0.0);
        }
}

static void earlier_years_lose_weight(void **state)
{
    struct ipr_view_scene *s = *state;

    ipr_sample_calibration(s->db, &s->judge, "digest");
    add_games(s, 1, 8, "Year, A", "Year, B", 2001);
    add_games(s, 21, 8, "Year, A", "Year, B", 2003);
    add_games(s, 41, 8, "Year, A", "Year, B", 2004);
    const int32_t id = ipr_db_test_player("Year, A");
    json_t *r = ratings(s, id, year(2001));
    check_accumulated(s, r, id, 2001);
    same_number(r, "conformance.accumulated.at_30.share",
                ipr_json_at(r, "conformance.at_30.share", NAN));
    same_number(r, "conformance.accumulated.at_30.interval_clustered.low",
                ipr_json_at(r, "conformance.at_30.interval_clustered.low", NAN));
    json_decref(r);
    r = ratings(s, id, year(2003));
    check_accumulated(s, r, id, 2003);
    same_number(r, "conformance.accumulated.games", 16.0);

    /* A change of 2001 changes what is accumulated to 2003, but not the stored ratings of 2003. */
    const int64_t kept = ipr_db_test_int("SELECT count(*) FROM rating");
    add_games(s, 61, 2, "Year, A", "Year, B", 2001);
    json_t *again = ratings(s, id, year(2003));
    check_accumulated(s, again, id, 2003);
    same_number(again, "conformance.accumulated.games", 18.0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM rating"), kept);
    assert_true(
        json_equal(ipr_json_find(r, "conformance.at_0"), ipr_json_find(again, "conformance.at_0")));
    assert_true(json_equal(json_object_get(r, "version"), json_object_get(again, "version")));
    assert_null(
        strstr(ipr_db_test_sql("SELECT string_agg(answer::text, '') FROM rating"), "accumulated"));
    json_decref(r);
    json_decref(again);

    /* Other scopes have none. */
    r = ratings(s, id, year(0));
    assert_non_null(strstr(ipr_json_text_at(r, "conformance.accumulated.reason"), "calendar year"));
    assert_true(json_is_null(ipr_json_find(r, "conformance.accumulated.at_0")));
    json_decref(r);
    r = ratings(
        s, id,
        (struct ipr_ratings_request){ .from = 2003, .to = 2003, .color = IPR_RATINGS_COLOR_WHITE });
    assert_non_null(strstr(ipr_json_text_at(r, "conformance.accumulated.reason"), "calendar year"));
    json_decref(r);
}

static void complexity_equals_model(void **state)
{
    struct ipr_view_scene *s = *state;
    const struct ipr_conformance_params p = IPR_CONFORMANCE_INIT;
    struct ipr_complexity_rho rho[IPR_COMPLEXITY_KINDS];

    add_games(s, 1, 14, "Hard, A", "Hard, B", 2001);
    const int32_t id = ipr_db_test_player("Hard, A");
    const struct counted c =
        counted(s, ipr_db_scope_year(id, 2001, IPR_TIME_SET_DEFAULT), IPR_WINDOW_CONFORMANCE);
    struct ipr_complexity_turn *t = ipr_arena_alloc(&s->mem, c.n, sizeof *t);
    double sum = 0.0;
    size_t known = 0;
    for (size_t i = 0; i < c.n; i++) {
        const struct ipr_judged j = ipr_judged(&c.all.turns[c.keep[i]], p.order);
        struct ipr_trace trace;

        ipr_trace_of(&c.all.judged[c.keep[i]], s->judge.multipv, 1, &s->mem, &trace);
        ipr_complexity(&trace, &t[i].complexity);
        t[i].game = c.all.turns[c.keep[i]].game;
        t[i].loss = ipr_loss(&p, j.best_cp, j.played_cp);
        known += t[i].complexity.known[IPR_COMPLEXITY_STABILITY];
        sum += t[i].complexity.value[IPR_COMPLEXITY_STABILITY];
    }
    ipr_complexity_correlations(t, c.n, rho);

    json_t *r = ratings(s, id, year(2001));
    const json_t *o = json_object_get(r, "complexity");
    same_number(o, "turns", (double)c.n);
    same_number(o, "games", 14.0);
    assert_true(known > IPR_VIEW_MIN_TURNS && known < c.n);
    same_number(o, "stability.mean", sum / (double)known);
    same_number(o, "stability.turns", (double)known);
    same_number(o, "stability.without", (double)(c.n - known));
    assert_true(ipr_json_at(o, "stability.interval.low", 1e9) < sum / (double)known);
    for (int k = 0; k < IPR_COMPLEXITY_DEPTH_TIME; k++) {
        const char *name = ipr_complexity_name((enum ipr_complexity_kind)k);
        const json_t *one = json_object_get(o, name);

        assert_int_equal(rho[k].status, IPR_COMPLEXITY_OK);
        assert_string_equal(ipr_json_text_at(one, "correlation.status"), "ok");
        same_number(one, "correlation.estimate", rho[k].rho.rho);
        same_number(one, "correlation.interval.low", rho[k].rho.interval.lo);
        same_number(one, "turns", (double)rho[k].turns);
        same_number(one, "without", (double)rho[k].without);
        assert_true(*ipr_json_text_at(one, "unit") != '\0');
    }
    assert_string_equal(ipr_json_text_at(o, "depth_time.correlation.status"), "not_available");
    assert_non_null(strstr(ipr_json_text_at(o, "depth_time.reason"), "not limited by time"));
    assert_true(json_is_null(ipr_json_find(o, "depth_time.mean")));
    same_number(o, "depth_time.without", (double)c.n);
    json_decref(r);
}

/* Limited by time a third of the games reached depth 3 only. */
static void depth_is_complexity_with_limited_time(void **state)
{
    struct ipr_view_scene *s = *state;
    const struct ipr_judge by_depth = s->judge;
    struct ipr_judge by_time = s->judge;

    by_time.depth = 0;
    by_time.time_ms = 240000;
    assert_ok(ipr_db_judge_ensure(s->db, &by_time, &s->judge_id, &s->err), &s->err);
    for (unsigned i = 0; i < 15; i++) {
        s->judge.depth = i % 3 == 0 ? DEPTHS - 1 : DEPTHS;
        add_game(s, 1 + i, "Time, A", "Time, B", 2001);
    }
    s->judge = by_depth;
    const int32_t id = ipr_db_test_player("Time, A");
    const struct counted c =
        counted(s, ipr_db_scope_year(id, 2001, IPR_TIME_SET_DEFAULT), IPR_WINDOW_CONFORMANCE);
    double shallow = 0.0;
    for (size_t i = 0; i < c.n; i++)
        shallow += c.all.judged[c.keep[i]].depth < DEPTHS;
    const double deep = (double)c.n - shallow;
    json_t *r = ratings(s, id, year(2001));
    const json_t *o = ipr_json_find(r, "complexity.depth_time");
    assert_true(shallow > 0.0 && shallow < deep);
    same_number(o, "mean", -(deep - shallow) / deep * shallow / (double)c.n);
    same_number(o, "without", 0.0);
    assert_string_equal(ipr_json_text_at(o, "correlation.status"), "ok");
    assert_true(*ipr_json_text_at(o, "note") != '\0');
    json_decref(r);
}

static void order_of_storing_changes_nothing(void **state)
{
    static const char *const figures[] = { "ipr", "conformance", "complexity", "turns", "games" };
    struct ipr_view_scene *s = *state;

    ipr_sample_calibration(s->db, &s->judge, "digest");
    for (unsigned i = 0; i < 12; i++)
        add_game(s, 1 + i, "Fore, A", "Fore, B", 2001 + (int)(i % 2));
    for (unsigned i = 12; i-- > 0;)
        add_game(s, 1 + i, "Back, A", "Back, B", 2001 + (int)(i % 2));
    json_t *fore = ratings(s, ipr_db_test_player("Fore, A"), year(0));
    json_t *back = ratings(s, ipr_db_test_player("Back, A"), year(0));
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        const json_t *a = json_object_get(fore, figures[i]), *b = json_object_get(back, figures[i]);
        if (!json_equal(a, b))
            fail_msg("%s differs:\n%s\n%s", figures[i], json_dumps(a, JSON_ENCODE_ANY),
                     json_dumps(b, JSON_ENCODE_ANY));
    }
    json_decref(fore);
    json_decref(back);
    fore = ratings(s, ipr_db_test_player("Fore, A"), year(2002));
    back = ratings(s, ipr_db_test_player("Back, A"), year(2002));
    assert_true(json_equal(ipr_json_find(fore, "conformance.accumulated"),
                           ipr_json_find(back, "conformance.accumulated")));
    json_decref(fore);
    json_decref(back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCENE(conformance_has_three_forms),
        WITH_SCENE(earlier_years_lose_weight),
        WITH_SCENE(complexity_equals_model),
        WITH_SCENE(depth_is_complexity_with_limited_time),
        WITH_SCENE(order_of_storing_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
