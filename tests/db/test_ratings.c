/* Ratings over a real database: held to the models on the same turns; scopes, refusals, what is
 * kept and what is not. */
#include "ratings.h"

#include "view/context.h"

/* ---- answers ---- */

static void same_share(const json_t *o, const char *path, const struct ipr_share *want)
{
    char name[80];

    snprintf(name, sizeof name, "%s.share", path);
    same_number(o, name, want->share);
    snprintf(name, sizeof name, "%s.standard_error", path);
    same_number(o, name, want->se);
    snprintf(name, sizeof name, "%s.interval_clustered.low", path);
    same_number(o, name, want->clustered.lo);
    snprintf(name, sizeof name, "%s.interval_wilson.high", path);
    same_number(o, name, want->wilson.hi);
    snprintf(name, sizeof name, "%s.interval.high", path);
    same_number(o, name,
                want->clustered.hi - want->clustered.lo >= want->wilson.hi - want->wilson.lo
                    ? want->clustered.hi
                    : want->wilson.hi);
}

/* A person's turns of a scope through a window, straight from the database. */
struct counted {
    struct ipr_db_player_turns all;
    size_t *keep;
    size_t n;
    struct ipr_window_counts counts;
};

static struct counted counted(struct ipr_view_scene *s, struct ipr_db_scope scope,
                              enum ipr_window_method method)
{
    const struct ipr_window w = ipr_window_default(method);
    struct counted c = { .n = 0 };

    assert_ok(ipr_db_player_turns(s->db, &scope, s->judge_id, &s->mem, &c.all, &s->err), &s->err);
    c.keep = ipr_arena_alloc(&s->mem, c.all.n, sizeof *c.keep);
    c.n = ipr_window_select(&w, c.all.turns, c.all.n, c.keep, &c.counts);
    return c;
}

static struct ipr_conformance conformance_of(struct ipr_view_scene *s, struct ipr_db_scope scope,
                                             enum ipr_window_method method, enum ipr_loss loss)
{
    const struct counted c = counted(s, scope, method);
    struct ipr_conformance_params p = IPR_CONFORMANCE_INIT;
    struct ipr_conformance r;

    p.loss = loss;
    assert_ok(ipr_conformance(&p, c.all.turns, c.keep, c.n, &r, &s->err), &s->err);
    return r;
}

/* ---- conformance ---- */

static void check_form(const json_t *conformance, const char *name, const struct ipr_conformance *r)
{
    const json_t *form = json_object_get(conformance, name);

    same_share(form, "at_0", &r->share_0);
    same_share(form, "at_30", &r->share_30);
    same_number(form, "mean_loss", r->mean_loss);
    same_number(form, "mean_loss_standard_error", r->mean_loss_se);
    same_number(form, "mean_loss_interval.low",
                fmax(0.0, r->mean_loss - ipr_stats_quantile95(r->games) * r->mean_loss_se));
    same_number(form, "turns", (double)r->turns);
    same_number(form, "games", (double)r->games);
    assert_string_equal(ipr_json_text_at(form, "method"), "conformance");
    assert_true(json_is_object(json_object_get(form, "excluded")));
}

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
    check_form(r, "conformance", &want); /* as lists use it */
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

/* The same turns as the database tells them in short, of all years. */
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
    if (at_0.trials == all.n) /* no later year: as of the whole career */
        for (int i = 0; i < IPR_EXCLUDED_REASONS; i++) {
            char path[80];

            snprintf(path, sizeof path, "excluded.%s", ipr_excluded_name((enum ipr_excluded)i));
            assert_close(ipr_json_at(a, path, 0.0), (double)all.counts.excluded[i], 0.0);
        }
}

static void earlier_years_are_forgotten_by_and_by(void **state)
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

    /* What was kept of 2003 does not change with 2001; what is accumulated does. */
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

    /* Of other scopes it is not told. */
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

/* ---- complexity ---- */

static void complexity_is_that_of_the_traces(void **state)
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

/* A judge by time: a third of the games came to depth 3 only. */
static void depth_goes_against_time(void **state)
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

/* ---- scopes ---- */

static double at(const json_t *r, const char *path)
{
    return ipr_json_at(r, path, NAN);
}

static void a_scope_is_rated_and_named(void **state)
{
    struct ipr_view_scene *s = *state;

    ipr_sample_calibration(s->db, &s->judge, "digest");
    add_games(s, 1, 16, "Scope, A", "Scope, B", 2001);
    add_games(s, 21, 16, "Scope, A", "Scope, C", 2002);
    const int32_t id = ipr_db_test_player("Scope, A");
    const int32_t even =
        (int32_t)ipr_db_test_int("SELECT id FROM event WHERE name LIKE 'Even%' AND year = 2002");
    json_t *white =
        ratings(s, id, (struct ipr_ratings_request){ .color = IPR_RATINGS_COLOR_WHITE });
    json_t *black =
        ratings(s, id, (struct ipr_ratings_request){ .color = IPR_RATINGS_COLOR_BLACK });
    json_t *all = ratings(s, id, year(0));
    assert_close(at(white, "turns") + at(black, "turns"), at(all, "turns"), 0.0);
    assert_close(at(white, "games") + at(black, "games"), 32.0, 0.0);
    assert_close(at(white, "conformance.turns") * at(white, "conformance.at_0.share") +
                     at(black, "conformance.turns") * at(black, "conformance.at_0.share"),
                 at(all, "conformance.turns") * at(all, "conformance.at_0.share"), 1e-6);
    assert_string_equal(ipr_json_text_at(white, "color"), "white");
    assert_string_equal(ipr_json_text_at(black, "color"), "black");
    assert_true(json_is_null(json_object_get(all, "color")));
    assert_true(json_is_null(json_object_get(white, "year")));
    assert_close(at(white, "games_stored"), 16.0, 0.0);
    assert_close(at(white, "games_unjudged"), 0.0, 0.0);
    assert_close(at(white, "version"), 0.0, 0.0);
    assert_true(ipr_json_true_at(all, "active"));
    assert_true(at(white, "ipr.turns") > IPR_VIEW_MIN_TURNS);
    assert_non_null(json_object_get(all, "judged_by"));
    assert_null(json_object_get(white, "judged_by"));
    json_decref(white);
    json_decref(black);

    /* Both years in a range are the career, an open end takes the one. */
    json_t *range = ratings(s, id, SCOPE(.from = 2001, .to = 2002));
    assert_true(json_equal(ipr_json_find(range, "conformance.at_0"),
                           ipr_json_find(all, "conformance.at_0")));
    assert_true(json_equal(json_object_get(range, "ipr"), json_object_get(all, "ipr")));
    assert_true(json_is_null(json_object_get(range, "year")));
    same_number(range, "from", 2001.0);
    same_number(range, "to", 2002.0);
    json_decref(range);
    json_decref(all);
    all = ratings(s, id, year(2002));
    range = ratings(s, id, SCOPE(.from = 2002));
    assert_true(json_equal(ipr_json_find(range, "complexity"), ipr_json_find(all, "complexity")));
    assert_true(json_is_null(json_object_get(range, "to")));
    json_decref(range);
    json_decref(all);

    json_t *event = ratings(s, id, SCOPE(.event = even));
    const struct ipr_db_scope scope = { id, 0, 0, even, IPR_DB_BOTH_COLOURS, IPR_TIME_SET_DEFAULT };
    const struct ipr_conformance want =
        conformance_of(s, scope, IPR_WINDOW_CONFORMANCE, IPR_LOSS_RAW);
    check_form(event, "conformance", &want);
    same_number(event, "games", 8.0);
    same_number(event, "event.id", even);
    assert_non_null(strstr(ipr_json_text_at(event, "event.name"), "quoted"));
    json_decref(event);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM rating"), 2); /* 2002, the career */
}

static void expect_error(struct ipr_view_scene *s, int32_t id, struct ipr_ratings_request asked,
                         enum ipr_code code, const char *says)
{
    struct ipr_err err = IPR_ERR_INIT;
    json_t *r = NULL;

    asked.player = id;
    assert_int_equal(ipr_view_ratings(&s->view, &asked, &r, &err), code);
    assert_null(r);
    if (strstr(err.msg, says) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", err.msg, says);
    if (code == IPR_EPARSE)
        assert_string_equal(err.type, "bad_parameter");
}

static void a_scope_that_is_not_there(void **state)
{
    struct ipr_view_scene *s = *state;

    add_games(s, 1, 2, "Lost, A", "Lost, B", 2001);
    add_games(s, 4, 1, "Lost, C", "Lost, D", 2002);
    const int32_t id = ipr_db_test_player("Lost, A");
    const int32_t other =
        (int32_t)ipr_db_test_int("SELECT id FROM event WHERE name LIKE 'Even%' AND year = 2002");
    const struct {
        struct ipr_ratings_request scope;
        enum ipr_code code;
        const char *says;
    } wrong[] = {
        { SCOPE(.event = 99999), IPR_EPARSE, "event: expected the id of an event, got \"99999\"" },
        { SCOPE(.from = 1990, .to = 1990), IPR_ENOTFOUND, "Lost, A has no game in 1990" },
        { SCOPE(.from = 1990, .to = 1992), IPR_ENOTFOUND, "Lost, A has no game from 1990 to 1992" },
        { SCOPE(.to = 1992), IPR_ENOTFOUND, "Lost, A has no game to 1992" },
        { { .from = 2002, .color = IPR_RATINGS_COLOR_BLACK },
          IPR_ENOTFOUND,
          "has no game as Black from 2002" },
        { SCOPE(.event = other), IPR_ENOTFOUND, "has no game in the event" },
        { { .year = 2002, .event = other, .color = IPR_RATINGS_COLOR_WHITE },
          IPR_ENOTFOUND,
          "has no game as White in 2002 in the event" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_error(s, id, wrong[i].scope, wrong[i].code, wrong[i].says);
    expect_error(s, 99, (struct ipr_ratings_request){ .color = IPR_RATINGS_COLOR_WHITE },
                 IPR_ENOTFOUND, "");
}

/* ---- refusals and order ---- */

static void few_turns_give_reasons(void **state)
{
    static const char *const nulls[] = { "at_0",           "at_30",
                                         "mean_loss",      "guid_bratko.mean_loss",
                                         "weighted.at_30", "accumulated.at_0",
                                         "loss_lines" };
    static const char *const reasons[] = { "conformance.reason", "conformance.guid_bratko.reason",
                                           "conformance.weighted.reason",
                                           "conformance.accumulated.reason", "complexity.reason" };
    struct ipr_view_scene *s = *state;

    add_games(s, 1, 3, "Few, A", "Few, B", 2001);
    json_t *r = ratings(s, ipr_db_test_player("Few, A"), year(2001));
    for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++)
        assert_true(json_is_null(ipr_json_find(json_object_get(r, "conformance"), nulls[i])));
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strstr(ipr_json_text_at(r, reasons[i]), "150 moves are needed") == NULL)
            fail_msg("%s: %s", reasons[i], ipr_json_text_at(r, reasons[i]));
    assert_int_equal(json_array_size(ipr_json_find(r, "conformance.distribution")), 0);
    /* What a refusal rests on is one set of turns; nothing was computed. */
    same_number(r, "conformance.games", 3.0);
    same_number(r, "complexity.games", 3.0);
    same_number(r, "conformance.accumulated.games", 3.0);
    same_number(r, "bayes.games", 3.0);
    assert_false(ipr_json_true_at(r, "conformance.converged"));
    assert_false(ipr_json_true_at(r, "endgame.converged"));
    assert_true(json_is_object(ipr_json_find(r, "conformance.accumulated.excluded")));
    assert_null(ipr_json_find(r, "complexity.stability"));
    assert_ok(ipr_view_page("player_year", r, &s->err), &s->err);
    json_decref(r);
}

/* Only the other side of a game is judged; no game of the classes asked for. */
static void nothing_judged_has_its_reason(void **state)
{
    static const char *const reasons[] = { "ipr.reason", "bayes.reason", "conformance.reason",
                                           "complexity.reason" };
    struct ipr_view_scene *s = *state;

    ipr_sample_calibration(s->db, &s->judge, "digest");
    add_games(s, 1, 2, "Half, A", "Half, B", 2001);
    ipr_db_test_sql("DELETE FROM side_turns WHERE colour <> 1 - game_id % 2");
    ipr_db_test_sql("DELETE FROM judged_side WHERE colour <> 1 - game_id % 2");
    json_t *a = ratings(s, ipr_db_test_player("Half, A"), year(2001));
    json_t *b = ratings(s, ipr_db_test_player("Half, B"), year(2001));
    json_t *unjudged = ipr_json_at(a, "turns", 0.0) > 0.0 ? b : a;
    assert_true(ipr_json_at(a, "turns", 0.0) + ipr_json_at(b, "turns", 0.0) > 0.0);
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strstr(ipr_json_text_at(unjudged, reasons[i]), "none of the player's moves") == NULL)
            fail_msg("%s: %s", reasons[i], ipr_json_text_at(unjudged, reasons[i]));
    json_decref(a);
    json_decref(b);
    s->view.time_classes = IPR_TIME_BIT(IPR_TIME_BLITZ);
    a = ratings(s, ipr_db_test_player("Half, A"), year(2001));
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        assert_string_equal(ipr_json_text_at(a, reasons[i]),
                            "no game of these classes of time control");
    json_decref(a);
}

/* Figures need many lines; where the configured judge has two they are the calibration's. */
static void a_narrow_default_leaves_the_calibrations_judge(void **state)
{
    static const struct {
        const char *configured, *calibration, *asked, *judge;
    } want[] = {
        { "rating", "sample", NULL, "sample" },   { "rating", "none", NULL, "standard" },
        { "narrow", "sample", NULL, "sample" },   { "quick", "sample", NULL, "quick" },
        { "unheard", "sample", NULL, "unheard" }, { "rating", "sample", "rating", "rating" },
    };
    struct ipr_view_scene *s = *state;

    ipr_sample_calibration(s->db, &s->judge, "digest");
    add_games(s, 1, 1, "Many, M", "Lines, L", 2001);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        struct ipr_view_context c;

        s->config.judge = want[i].configured;
        s->config.calibration = want[i].calibration;
        assert_ok(ipr_view_context_open(&s->view, want[i].asked, &c, &s->err), &s->err);
        if (strcmp(want[i].judge, "unheard") != 0)
            assert_string_equal(c.judge.name, want[i].judge);
        assert_int_equal(c.judge_id != 0, strcmp(want[i].judge, "sample") == 0);
        assert_true(c.judge_id != 0 || strstr(c.reason, want[i].judge) != NULL);
        ipr_view_context_close(&c);
    }
}

/* Who has analysed with two lines alone, as uploads are, sees those games and their ratings. */
static void without_wide_evaluations_the_configured_judge_is_used(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_view_context c;

    s->config.judge = "rating";
    s->config.calibration = "none";
    snprintf(s->judge.name, sizeof s->judge.name, "rating");
    assert_ok(ipr_db_judge_ensure(s->db, &s->judge, &s->judge_id, &s->err), &s->err);
    add_games(s, 1, 1, "Two, L", "Lines, T", 2001);
    assert_ok(ipr_view_context_open(&s->view, NULL, &c, &s->err), &s->err);
    assert_int_equal(c.judge_id, s->judge_id);
    assert_string_equal(c.default_judge, "standard"); /* still what is offered for the others */
    ipr_view_context_close(&c);
}

static void the_order_of_storing_does_not_show(void **state)
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
        WITH_SCENE(earlier_years_are_forgotten_by_and_by),
        WITH_SCENE(complexity_is_that_of_the_traces),
        WITH_SCENE(depth_goes_against_time),
        WITH_SCENE(a_scope_is_rated_and_named),
        WITH_SCENE(a_scope_that_is_not_there),
        WITH_SCENE(few_turns_give_reasons),
        WITH_SCENE(nothing_judged_has_its_reason),
        WITH_SCENE(a_narrow_default_leaves_the_calibrations_judge),
        WITH_SCENE(without_wide_evaluations_the_configured_judge_is_used),
        WITH_SCENE(the_order_of_storing_does_not_show),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
