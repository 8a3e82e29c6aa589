/* Rating lists in the database: who is whom, what a second reading changes, which rating a game
 * has, and the figures that rest on it. */
#include "ipr_test.h"
#include "ipr_view_sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/rating_file.h"
#include "db/elo.h"
#include "db/judges.h"
#include "ingest/ratings.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_members.h"
#include "model/elo.h"
#include "view/json.h"
#include "view/view.h"

#define SAMPLE "tests/data/ratings/lists.ssp"

struct scene {
    struct ipr_db_fixture *f;
    struct ipr_config config;
    struct ipr_view view;
};

static int open_scene(void **state)
{
    struct scene *s = calloc(1, sizeof *s);

    if (ipr_db_fixture_setup(state) != 0)
        return -1;
    s->f = *state;
    s->config = (struct ipr_config){ .judge = "sample", .calibration = "sample" };
    s->view = (struct ipr_view){ .config = &s->config, .db = s->f->db, .mem = &s->f->mem };
    *state = s;
    return 0;
}

static int close_scene(void **state)
{
    struct scene *s = *state;
    void *fixture = s->f;

    free(s);
    return ipr_db_fixture_teardown(&fixture);
}

static void no_fault(void *arg, uint32_t line, uint32_t column, const char *word, const char *why)
{
    (void)arg;
    (void)line;
    (void)column;
    (void)word;
    (void)why;
}

static struct ipr_ratings_result import(struct scene *s, const char *path)
{
    struct ipr_ratings_result r = { 0 };

    assert_ok(ipr_ratings_import(s->f->db, path, no_fault, NULL, &r, &s->f->err), &s->f->err);
    return r;
}

static int32_t add_player(const char *name, const char *key, int32_t fide_id)
{
    char sql[256];

    snprintf(sql, sizeof sql,
             "INSERT INTO player (name, name_key, fide_id) VALUES ('%s', '%s', nullif(%d, 0))"
             " RETURNING id",
             name, key, (int)fide_id);
    return (int32_t)ipr_db_test_int(sql);
}

static const char *listed(int32_t id)
{
    char sql[256];

    snprintf(sql, sizeof sql,
             "SELECT name || ' by ' || matched_by FROM elo_history WHERE player_id = %d", (int)id);
    return ipr_db_test_sql(sql);
}

/* ---- who is whom ------------------------------------------------------------------------------
 */

static const struct {
    const char *name, *key;
    int32_t fide_id;
    const char *listed; /* "" nobody */
} people[] = {
    { "Somebody, Else", "somebody,else", 701, "Adler, Vera by fide_id" },
    { "Adler V.", "adler v", 1701, "Adler, Vera by fide_id" },
    { "Adler, Vera", "adler,vera", 998, "" }, /* the one in the file has another id */
    { "Adler, Vera", "adler,vera", 0, "Adler, Vera by name" },
    { "Brandt, Ole", "brandt,ole", 999, "Brandt, Ole by name" }, /* the file knows no id of his */
    { "Brandt, O", "brandt,o", 0, "Brandt, Ole by name" },
    { "Ole Brandt", "ole brandt", 0, "Brandt, Ole by name" },
    { "Brandt", "brandt", 0, "" },
    { "Costa, Ana", "costa,ana", 0, "" }, /* two of them */
    { "Dahl, Nils", "dahl,nils", 0, "" }, /* within another's name */
    { "Dahl, Nils", "dahl,nils", 704, "Dahl, Nils by fide_id" },
    { "Dahl, Nils Erik", "dahl,nils erik", 0, "Dahl, Nils Erik by name" },
    { "Elm, Jo", "elm,jo", 706, "" },     /* no ratings */
    { "Gray, Max", "gray,max", 707, "" }, /* an id of two */
    { "Gray, Maxine", "gray,maxine", 0, "Gray, Maxine by name" },
    { "Nobody, Here", "nobody,here", 0, "" },
};

static void test_matching(void **state)
{
    struct scene *s = *state;
    int32_t ids[sizeof people / sizeof *people];
    size_t n = sizeof people / sizeof *people, found = 0;

    for (size_t i = 0; i < n; i++)
        ids[i] = add_player(people[i].name, people[i].key, people[i].fide_id);
    const struct ipr_ratings_result r = import(s, SAMPLE);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(listed(ids[i]), people[i].listed) != 0)
            fail_msg("%s (%d): '%s', not '%s'", people[i].name, (int)people[i].fide_id,
                     listed(ids[i]), people[i].listed);
        found += people[i].listed[0] != '\0';
    }
    assert_int_equal(r.persons, n);
    assert_int_equal(r.by_id, 3);
    assert_int_equal(r.by_id + r.by_name, found);
    assert_int_equal(r.changed, found);
    assert_int_equal(r.dropped, 0);
    assert_int_equal(r.faults, 0); /* of nobody who is here */
}

static void merge(int32_t member, int32_t root)
{
    char sql[128];

    snprintf(sql, sizeof sql, "UPDATE player SET merged_into = %d WHERE id = %d", (int)root,
             (int)member);
    ipr_db_test_sql(sql);
}

/* What a person's identities say of it is weighed together. */
static void test_matching_of_persons(void **state)
{
    struct scene *s = *state;
    const int32_t brandt = add_player("Brandt, Ole", "brandt,ole", 0);
    const int32_t other = add_player("Elm, Jo", "elm,jo", 0);
    const int32_t adler = add_player("Adler, Vera", "adler,vera", 0);
    const int32_t short_adler = add_player("Adler, V", "adler,v", 0);
    const int32_t gray = add_player("Gray, Maxine", "gray,maxine", 0);
    const int32_t with_id = add_player("Gray, M", "gray,m", 704);

    merge(other, brandt); /* two names of two people: neither */
    merge(short_adler, adler);
    merge(gray, with_id); /* the id decides */
    const struct ipr_ratings_result r = import(s, SAMPLE);
    assert_string_equal(listed(brandt), "");
    assert_string_equal(listed(other), "");
    assert_string_equal(listed(adler), "Adler, Vera by name");
    assert_string_equal(listed(short_adler), "Adler, Vera by name");
    assert_string_equal(listed(gray), "");
    assert_string_equal(listed(with_id), "Dahl, Nils by fide_id");
    assert_int_equal(r.persons, 3);
    assert_int_equal(r.by_id, 1);
    assert_int_equal(r.by_name, 1);
    assert_int_equal(r.ratings, 12 + 5);
    assert_int_equal(r.changed, 3);

    /* Two histories of one person are one, list by list. */
    struct ipr_db_elo_listed *rows = NULL;
    size_t n = 0;
    assert_ok(ipr_db_elo_history(s->f->db, adler, 0, 0, &s->f->mem, &rows, &n, &s->f->err),
              &s->f->err);
    assert_int_equal(n, 5);
    assert_string_equal(rows[0].month, "1988-01");
    assert_string_equal(rows[4].month, "1991-07");
    assert_int_equal(rows[4].elo, 2440);
    assert_string_equal(rows[4].source, "lists.ssp");
}

/* ---- a second reading -------------------------------------------------------------------------
 */

static int64_t epoch(int32_t id)
{
    char sql[200];

    snprintf(sql, sizeof sql,
             "SELECT p.epoch + coalesce(o.epoch, 0) FROM player AS p LEFT JOIN opponent_epoch AS o"
             " ON o.player_id = p.id WHERE p.id = %d",
             (int)id);
    return ipr_db_test_int(sql);
}

static char changed_path[] = "/tmp/intrinsic-elo-XXXXXX";

static void write_changed(const char *text)
{
    FILE *f = fopen(changed_path, "wb");

    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static struct ipr_db_new_game game(struct scene *s, unsigned seed, const char *white,
                                   const char *black, const char *date)
{
    struct ipr_db_new_game g = ipr_sample_game(&s->f->mem, seed, white, black, 0, 60);

    g.year = g.event_year = date[0] == '?' ? 0
                                           : 1000 * (date[0] - '0') + 100 * (date[1] - '0') +
                                                 10 * (date[2] - '0') + (date[3] - '0');
    g.date = date;
    g.white_elo = g.black_elo = 0;
    g.result = IPR_DRAW;
    return g;
}

static void store(struct scene *s, struct ipr_db_new_game g)
{
    (void)s;
    ipr_sample_store(s->f->db, &g, 1, "sample");
}

static void test_again(void **state)
{
    struct scene *s = *state;

    store(s, game(s, 1, "brandt,ole", "x,y", "2009.05.01"));
    store(s, game(s, 2, "adler,vera", "u,v", "1990.05.01"));
    store(s, game(s, 3, "a,b", "c,d", "1990.05.01"));
    const int32_t brandt = ipr_db_test_player("brandt,ole"), x = ipr_db_test_player("x,y"),
                  u = ipr_db_test_player("u,v"), a = ipr_db_test_player("a,b");
    struct ipr_ratings_result r = import(s, SAMPLE);
    assert_int_equal(r.changed, 2);
    const int64_t before_u = epoch(u), before_x = epoch(x), before_brandt = epoch(brandt);
    assert_true(before_brandt > 0 && before_x > 0 && before_u > 0);
    assert_int_equal(epoch(a), 0); /* never met them */

    r = import(s, SAMPLE);
    assert_int_equal(r.changed + r.dropped, 0);
    assert_int_equal(epoch(brandt), before_brandt);

    /* One rating changed, one person gone. */
    write_changed("@PLAYER\nBrandt, Ole\n  %Elo 2009:?,2300,2310,2320,2331\n");
    r = import(s, changed_path);
    assert_int_equal(r.changed, 1);
    assert_int_equal(r.dropped, 1);
    assert_int_equal(r.ratings, 4);
    assert_true(epoch(brandt) > before_brandt && epoch(x) > before_x && epoch(u) > before_u);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM elo_history"), 1);
    assert_string_equal(ipr_db_test_sql("SELECT listed[4] || ' ' || elo[4] FROM elo_history"),
                        "2009-11-01 2331");

    /* A file that cannot be used leaves what there is. */
    struct ipr_err err = IPR_ERR_INIT;
    write_changed("@PLAYER\nBrandt, Ole\n  %Bio FIDEID 5\n");
    assert_int_equal(ipr_ratings_import(s->f->db, changed_path, no_fault, NULL, &r, &err),
                     IPR_EDATA);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM elo_history"), 1);
}

/* ---- the rating of a month --------------------------------------------------------------------
 */

static void test_at(void **state)
{
    static const struct {
        const char *month;
        int elo;
        const char *listed;
    } rows[] = {
        { "1987-12-01", 0, "" },           { "1988-01-01", 2400, "1988-01" },
        { "1988-12-01", 2400, "1988-01" }, { "1989-01-01", 2410, "1989-01" },
        { "1990-06-01", 2420, "1990-01" }, { "1990-07-01", 2430, "1990-07" },
        { "1991-06-01", 2430, "1990-07" }, /* not on the list of January */
        { "1991-07-01", 2440, "1991-07" }, { "1992-07-01", 2440, "1991-07" }, /* a year old */
        { "1992-08-01", 0, "" },           { "2020-01-01", 0, "" },
    };
    enum { N = sizeof rows / sizeof *rows };
    struct scene *s = *state;
    const int32_t adler = add_player("Adler, Vera", "adler,vera", 0);
    const int32_t nobody = add_player("Nobody", "nobody", 0);
    struct ipr_db_elo_at at[N + 1] = { 0 };

    import(s, SAMPLE);
    for (size_t i = 0; i < N; i++) {
        at[i].person = adler;
        snprintf(at[i].month, sizeof at[i].month, "%s", rows[i].month);
    }
    at[N].person = nobody;
    snprintf(at[N].month, sizeof at[N].month, "1990-01-01");
    assert_ok(ipr_db_elo_at(s->f->db, at, N + 1, &s->f->err), &s->f->err);
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(at[i].elo, rows[i].elo);
        assert_string_equal(at[i].listed, rows[i].listed);
    }
    assert_int_equal(at[N].elo, 0);
}

/* ---- figures ----------------------------------------------------------------------------------
 */

static json_t *elo_of(struct scene *s, const char *name, int from, int to)
{
    json_t *r = NULL;

    assert_ok(ipr_view_elo(&s->view,
                           &(struct ipr_elo_request){
                               .player = ipr_db_test_player(name), .from = from, .to = to },
                           &r, &s->f->err),
              &s->f->err);
    assert_members(IPR_SHAPE_ELO_HISTORY, r);
    return r;
}

/* Tags go before lists, lists are not looked into from the future, games without a date have none;
 * of a date without a month the year's first. */
static void test_precedence(void **state)
{
    struct scene *s = *state;
    struct ipr_db_new_game g = game(s, 1, "adler,vera", "brandt,ole", "1990.08.01");

    g.white_elo = 2222;
    g.black_elo = 2333;
    store(s, g);                                              /* both by tags */
    store(s, game(s, 2, "adler,vera", "x,y", "1990.08.02"));  /* own 2430 */
    store(s, game(s, 3, "x,y", "adler,vera", "1990.??.??"));  /* own 2420 */
    store(s, game(s, 4, "adler,vera", "x,y", "????.??.??"));  /* none */
    g = game(s, 5, "adler,vera", "brandt,ole", "1990.01.31"); /* own 2420 */
    g.black_elo = 2300;
    g.result = IPR_WHITE_WINS;
    store(s, g);
    import(s, SAMPLE);

    json_t *r = elo_of(s, "adler,vera", 1990, 1990);
    assert_int_equal(json_integer_value(json_object_get(r, "games")), 4);
    assert_close(ipr_json_at(r, "mean.estimate", NAN), (2222.0 + 2430.0 + 2420.0 + 2420.0) / 4.0,
                 1e-6);
    assert_string_equal(ipr_json_text_at(r, "mean.source"), "both");
    assert_int_equal(ipr_json_at(r, "mean.from_tags", 0), 1);
    assert_int_equal(ipr_json_at(r, "mean.from_list", 0), 3);
    assert_true(json_is_null(ipr_json_find(r, "mean.standard_error")));
    assert_true(json_is_null(ipr_json_find(r, "mean.interval")));
    assert_string_equal(ipr_json_text_at(r, "opponents.source"), "game tags");
    assert_int_equal(ipr_json_at(r, "opponents.games", 0), 2);
    assert_close(ipr_json_at(r, "score", NAN), 2.5, 1e-9);
    assert_int_equal(ipr_json_at(r, "score_games", 0), 4);
    /* Expected of the two games in which both are known. */
    const double expected = ipr_elo_expect(2222, 2333) + ipr_elo_expect(2420, 2300);
    assert_int_equal(ipr_json_at(r, "expected.games", 0), 2);
    assert_close(ipr_json_at(r, "expected.points", NAN), expected, 1e-6);
    assert_close(ipr_json_at(r, "expected.estimate", NAN), expected / 2.0, 1e-6);
    assert_close(ipr_json_at(r, "expected.actual", NAN), 0.75, 1e-9);
    assert_close(ipr_json_at(r, "expected.difference", NAN), 0.75 - expected / 2.0, 1e-6);
    /* How actual scores vary is no error of the expectation. */
    assert_true(json_is_null(ipr_json_find(r, "expected.interval")));
    assert_true(json_is_null(ipr_json_find(r, "expected.standard_error")));
    assert_true(*ipr_json_text_at(r, "expected.interval_reason") != '\0');
    assert_true(json_is_object(ipr_json_find(r, "expected.score_interval")));
    assert_close(ipr_json_at(r, "expected.score_sd", NAN),
                 sqrt(ipr_elo_expect(2222, 2333) * ipr_elo_expect(2333, 2222) +
                      ipr_elo_expect(2420, 2300) * ipr_elo_expect(2300, 2420)) /
                     2.0,
                 1e-6);
    /* x,y has none: no performance. */
    assert_true(json_is_null(ipr_json_find(r, "performance.estimate")));
    assert_string_equal(ipr_json_text_at(r, "performance.reason"),
                        "in 2 of 4 scored games the opponent's Elo is neither in the tags nor on "
                        "a rating list of the year before");
    /* At the end: the list of July is of an earlier month than the tags of August. */
    assert_close(ipr_json_at(r, "elo.estimate", NAN), 2222.0, 0.0);
    assert_string_equal(ipr_json_text_at(r, "elo.date"), "1990-08");
    assert_string_equal(ipr_json_text_at(r, "elo.source"), "game tags");
    assert_int_equal(json_array_size(json_object_get(r, "history")), 2);
    assert_string_equal(ipr_json_text_at(r, "listed_as.matched_by"), "name");
    json_decref(r);

    /* Over all years the last list is later; the undated game counts and has no rating. */
    r = elo_of(s, "adler,vera", 0, 0);
    assert_int_equal(json_integer_value(json_object_get(r, "games")), 5);
    assert_close(ipr_json_at(r, "elo.estimate", NAN), 2440.0, 0.0);
    assert_string_equal(ipr_json_text_at(r, "elo.date"), "1991-07");
    assert_string_equal(ipr_json_text_at(r, "elo.source"), "rating list");
    assert_int_equal(ipr_json_at(r, "mean.games", 0), 4);
    assert_int_equal(json_array_size(json_object_get(r, "history")), 5);
    assert_true(json_is_null(json_object_get(r, "from")));
    json_decref(r);

    /* An open end is the last list, a last year the one in force in its December. */
    r = elo_of(s, "adler,vera", 1989, IPR_VIEW_YEAR_MAX);
    assert_close(ipr_json_at(r, "elo.estimate", NAN), 2440.0, 0.0);
    json_decref(r);
    r = elo_of(s, "adler,vera", 1, 1989);
    assert_close(ipr_json_at(r, "elo.estimate", NAN), 2410.0, 0.0);
    assert_int_equal(json_integer_value(json_object_get(r, "games")), 0);
    assert_true(json_is_null(ipr_json_find(r, "mean.estimate")));
    assert_true(json_is_null(ipr_json_find(r, "expected.estimate")));
    assert_string_equal(ipr_json_text_at(r, "performance.reason"), "no game with a result");
    json_decref(r);

    /* The other side of the same games. */
    r = elo_of(s, "x,y", 1990, 1990);
    assert_string_equal(ipr_json_text_at(r, "opponents.source"), "rating list");
    assert_close(ipr_json_at(r, "opponents.mean", NAN), 2425.0, 1e-9);
    assert_close(ipr_json_at(r, "performance.estimate", NAN), 2425.0, 1e-3);
    assert_true(json_is_null(ipr_json_find(r, "mean.estimate")));
    json_decref(r);
}

/* 0 and 100 %: a bound, one open end, no error; draws alone are in the middle. */
static void test_extremes(void **state)
{
    static const struct {
        enum ipr_result result;
        double estimate, fide; /* NaN: none, only a bound */
        bool low, high;        /* ends that are open */
    } rows[] = {
        { IPR_WHITE_WINS, NAN, 3230.0, false, true },
        { IPR_BLACK_WINS, NAN, 1630.0, true, false },
        { IPR_DRAW, 2430.0, 2430.0, false, false },
    };
    struct scene *s = *state;

    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[] = "white a";

        name[6] = (char)('a' + i);
        for (unsigned k = 0; k < 3; k++) {
            struct ipr_db_new_game g = game(s, 10 * i + k, name, "adler,vera", "1990.09.01");
            g.result = rows[i].result;
            store(s, g);
        }
    }
    import(s, SAMPLE);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[] = "white a";

        name[6] = (char)('a' + i);
        json_t *r = elo_of(s, name, 1990, 1990);
        const json_t *p = json_object_get(r, "performance");
        const bool bounded = isnan(rows[i].estimate);
        if (!bounded)
            assert_close(ipr_json_at(p, "estimate", NAN), rows[i].estimate, 1e-3);
        assert_close(ipr_json_at(p, "fide", NAN), rows[i].fide, 1e-9);
        assert_int_equal(ipr_json_true_at(p, "bounded"), bounded);
        assert_int_equal(json_is_null(json_object_get(p, "estimate")), bounded);
        assert_int_equal(*ipr_json_text_at(p, "reason") != '\0', bounded);
        assert_int_equal(json_is_null(json_object_get(p, "standard_error")), bounded);
        assert_int_equal(json_is_null(ipr_json_find(p, "interval.low")), rows[i].low);
        assert_int_equal(json_is_null(ipr_json_find(p, "interval.high")), rows[i].high);
        assert_int_equal(ipr_json_at(p, "games", 0), 3);
        json_decref(r);
    }
}

/* A forfeit is in no figure, and is told. */
static void test_unplayed(void **state)
{
    struct scene *s = *state;
    struct ipr_db_new_game g;

    for (unsigned seed = 1; seed <= 3; seed++) {
        g = game(s, seed, "adler,vera", "brandt,ole", "1990.08.01");
        g.white_elo = seed == 3 ? 2900 : 2400;
        g.black_elo = seed == 3 ? 2900 : 2300;
        g.result = seed == 3 ? IPR_BLACK_WINS : IPR_DRAW;
        g.n_moves = seed == 3 ? 0 : g.n_moves;
        store(s, g);
    }
    json_t *r = elo_of(s, "adler,vera", 1990, 1990);
    assert_int_equal(ipr_json_at(r, "games", 0), 3);
    assert_int_equal(ipr_json_at(r, "unplayed.games", 0), 1);
    assert_int_equal(ipr_json_at(r, "unplayed.score_games", 0), 1);
    assert_close(ipr_json_at(r, "unplayed.score", NAN), 0.0, 0.0);
    assert_close(ipr_json_at(r, "score", NAN), 1.0, 0.0);
    assert_int_equal(ipr_json_at(r, "score_games", 0), 2);
    assert_close(ipr_json_at(r, "mean.estimate", NAN), 2400.0, 0.0);
    assert_close(ipr_json_at(r, "opponents.mean", NAN), 2300.0, 0.0);
    assert_close(ipr_json_at(r, "performance.estimate", NAN), 2300.0, 1e-3);
    assert_close(ipr_json_at(r, "expected.estimate", NAN), ipr_elo_expect(2400, 2300), 1e-9);
    assert_close(ipr_json_at(r, "expected.actual", NAN), 0.5, 0.0);
    json_decref(r);
    r = elo_of(s, "brandt,ole", 1990, 1990);
    assert_close(ipr_json_at(r, "unplayed.score", NAN), 1.0, 0.0);
    assert_close(ipr_json_at(r, "score", NAN), 1.0, 0.0);
    json_decref(r);
}

static void test_unknown(void **state)
{
    struct scene *s = *state;
    struct ipr_err err = IPR_ERR_INIT;
    json_t *r = NULL;

    assert_int_equal(ipr_view_elo(&s->view, &(struct ipr_elo_request){ .player = 12345 }, &r, &err),
                     IPR_ENOTFOUND);
    assert_null(r);
}

/* ---- kept ratings -----------------------------------------------------------------------------
 */

static void add_judged(struct scene *s, int32_t judge_id, unsigned seed)
{
    const struct ipr_judge judge = ipr_sample_judge();
    struct ipr_db_new_game g = game(s, seed, "adler,vera", "brandt,ole", "1990.08.01");
    struct ipr_db_game stored;

    g.black_elo = 2300;
    ipr_sample_store(s->f->db, &g, 1, "sample");
    assert_ok(ipr_db_game_get(s->f->db, g.id, &s->f->mem, &stored, &s->f->err), &s->f->err);
    const struct ipr_judged_game judged = ipr_sample_judgement(&s->f->mem, &judge, &stored, seed);
    ipr_sample_judged(s->f->db, judge_id, &stored, &judged, 3);
}

/* What was kept before the lists came is not what is told after. */
static void test_kept(void **state)
{
    struct scene *s = *state;
    const struct ipr_judge judge = ipr_sample_judge();
    int32_t judge_id;

    assert_ok(ipr_db_judge_ensure(s->f->db, &judge, &judge_id, &s->f->err), &s->f->err);
    for (unsigned seed = 0; seed < 8; seed++)
        add_judged(s, judge_id, seed);
    ipr_sample_calibration(s->f->db, &judge, "digest");
    store(s, game(s, 99, "adler,vera", "brandt,ole", "1990.08.01")); /* not judged */

    json_t *before = NULL, *after = NULL, *other = NULL;
    assert_ok(ipr_view_ratings(
                  &s->view,
                  &(struct ipr_ratings_request){
                      .player = ipr_db_test_player("adler,vera"), .year = 1990, .color = -1 },
                  &before, &s->f->err),
              &s->f->err);
    assert_true(json_is_null(ipr_json_find(before, "elo.estimate")));
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM rating"), 1);
    import(s, SAMPLE);
    assert_ok(ipr_view_ratings(
                  &s->view,
                  &(struct ipr_ratings_request){
                      .player = ipr_db_test_player("adler,vera"), .year = 1990, .color = -1 },
                  &after, &s->f->err),
              &s->f->err);
    assert_close(ipr_json_at(after, "elo.estimate", NAN), 2430.0, 1e-9);
    assert_string_equal(ipr_json_text_at(after, "elo.source"), "rating list");
    /* Play is compared with play at the same Elo. */
    assert_non_null(strstr(ipr_json_text_at(before, "concordance.reason"), "no rating list"));
    assert_close(ipr_json_at(after, "concordance.rating", NAN), 2430.0, 1e-9);
    assert_string_equal(ipr_json_text_at(after, "concordance.rating_source"), "rating list");
    assert_true(ipr_json_at(after, "elo.turns", 0) >= ipr_json_at(after, "turns", NAN));
    assert_int_equal(ipr_json_at(after, "elo.games", 0), 8); /* the judged ones alone */
    assert_close(ipr_json_at(after, "elo.performance.estimate", NAN), 2300.0, 1e-3);
    assert_close(ipr_json_at(after, "elo.expected.estimate", NAN), ipr_elo_expect(2430, 2300),
                 1e-9);
    assert_true(json_equal(json_object_get(before, "ipr"), json_object_get(after, "ipr")));
    assert_ok(ipr_view_ratings(
                  &s->view,
                  &(struct ipr_ratings_request){
                      .player = ipr_db_test_player("brandt,ole"), .year = 1990, .color = -1 },
                  &other, &s->f->err),
              &s->f->err);
    assert_string_equal(ipr_json_text_at(other, "elo.source"), "game tags");
    assert_string_equal(ipr_json_text_at(other, "elo.opponents.source"), "rating list");
    json_decref(before);
    json_decref(after);
    json_decref(other);
}

/* ---- Debian's file ----------------------------------------------------------------------------
 */

static const char *real_file(void)
{
    const char *set = getenv("SCID_RATINGS_PATH");

    return set != NULL && set[0] != '\0' ? set : "/usr/share/scid/data/spelling.ssp";
}

static void test_real(void **state)
{
    static const struct {
        const char *key, *month;
        int elo;
    } rows[] = {
        { "fischer,robert james", "1972-07-01", 2785 }, { "karpov,anatoly", "1974-09-01", 2700 },
        { "kasparov,garry", "1999-07-01", 2851 },       { "anand,viswanathan", "2009-09-01", 2788 },
        { "carlsen,magnus", "2012-08-01", 2837 },
    };
    enum { N = sizeof rows / sizeof *rows };
    struct scene *s = *state;
    struct ipr_db_elo_at at[N] = { 0 };
    struct ipr_ratings_result r = { 0 };
    struct ipr_err err = IPR_ERR_INIT;

    for (size_t i = 0; i < N; i++)
        at[i].person = add_player(rows[i].key, rows[i].key, 0);
    const enum ipr_code rc = ipr_ratings_import(s->f->db, real_file(), no_fault, NULL, &r, &err);
    if (rc == IPR_EIO || rc == IPR_EDATA) {
        printf("skipped: %s is not there or has no ratings (Debian package scid-rating-data)\n",
               real_file());
        skip();
    }
    assert_ok(rc, &err);
    assert_int_equal(r.by_name, N);
    for (size_t i = 0; i < N; i++)
        snprintf(at[i].month, sizeof at[i].month, "%s", rows[i].month);
    assert_ok(ipr_db_elo_at(s->f->db, at, N, &s->f->err), &s->f->err);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(at[i].elo, rows[i].elo);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, open_scene, close_scene)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_matching),   TEST(test_matching_of_persons),
        TEST(test_again),      TEST(test_at),
        TEST(test_precedence), TEST(test_extremes),
        TEST(test_unplayed),   TEST(test_unknown),
        TEST(test_kept),       TEST(test_real),
    };
    const int fd = mkstemp(changed_path);

    if (fd < 0)
        return 1;
    close(fd);
    const int failed = cmocka_run_group_tests_name("elo", tests, NULL, NULL);
    unlink(changed_path);
    return failed;
}
