/* Pairs of players that could be one person. */
#include "people.h"

static size_t doubtful(struct ipr_db_fixture *f, struct ipr_db_doubtful **all)
{
    struct ipr_db_doubtful_place at = { "", 0, 0 };
    size_t n = 0;

    *all = ipr_arena_alloc(&f->mem, 100, sizeof **all);
    while (at.block != NULL) {
        struct ipr_db_doubtful *rows = NULL;
        size_t got = 0;

        assert_ok(ipr_db_doubtful(f->db, &at, 2, &f->mem, &rows, &got, &at, &f->err), &f->err);
        assert_in_range(got, 0, 2);
        for (size_t i = 0; i < got; i++)
            (*all)[n++] = rows[i];
    }
    return n;
}

static const struct ipr_db_doubtful *pair_of(const struct ipr_db_doubtful *all, size_t n,
                                             const char *x, const char *y)
{
    for (size_t i = 0; i < n; i++)
        if ((strcmp(all[i].a.name, x) == 0 && strcmp(all[i].b.name, y) == 0) ||
            (strcmp(all[i].a.name, y) == 0 && strcmp(all[i].b.name, x) == 0))
            return &all[i];
    return NULL;
}

static void test_doubtful(void **state)
{
    static const struct {
        const char *a, *b;
        enum ipr_similarity why;
    } want[] = {
        { "fischer,r", "fischer,robert j", IPR_SIMILARITY_INITIALS },
        { "fischer,r", "robert j fischer", IPR_SIMILARITY_INITIALS },
        { "fischer,robert j", "robert j fischer", IPR_SIMILARITY_ORDER },
        { "müller,hans", "muller,hans", IPR_SIMILARITY_SIGNS },
        { "müller,hans", "mueller,hans", IPR_SIMILARITY_SIGNS },
        { "mueller,hans", "muller,hans", IPR_SIMILARITY_SIGNS },
        { "gm kasparov,g", "kasparov,garry", IPR_SIMILARITY_INITIALS },
        { "viktor korchnoi (urs)", "korchnoi,viktor", IPR_SIMILARITY_ORDER },
    };
    static const char *const names[] = {
        "fischer,r",      "fischer,robert j",      "robert j fischer", "fischer,bernd",
        "müller,hans",    "muller,hans",           "mueller,hans",     "spassky,b",
        "spassky,boris",  "karpov,anatoly",        "karpov,alexander", "gm kasparov,g",
        "kasparov,garry", "viktor korchnoi (urs)", "korchnoi,viktor"
    };
    struct ipr_db_fixture *f = *state;
    struct ipr_db_doubtful *all = NULL;
    int64_t told = 0, merged = 0;

    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        play(f, 2 * i + 1, names[i], "opponent", 1970 + (int)i, false);
        play(f, 2 * i + 2, "rival", names[i], 1971 + (int)i, false);
    }
    play(f, 100, "spassky,b", "spassky,boris", 1970, false); /* so they are two */
    size_t n = doubtful(f, &all);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const struct ipr_db_doubtful *d = pair_of(all, n, want[i].a, want[i].b);

        if (d == NULL)
            fail_msg("%s and %s are not listed", want[i].a, want[i].b);
        assert_int_equal(d->why, want[i].why);
        assert_int_equal(d->common_opponents, 2);
        assert_int_equal(d->a.games, 2);
        assert_int_equal(d->a.last_year, d->a.first_year + 1);
        assert_true(d->a.elo_high >= d->a.elo_low && d->a.elo_low > 2399);
    }
    assert_null(pair_of(all, n, "spassky,b", "spassky,boris"));
    assert_null(pair_of(all, n, "karpov,anatoly", "karpov,alexander"));
    assert_null(pair_of(all, n, "fischer,r", "fischer,bernd"));
    for (size_t i = 0; i < n; i++) /* each once */
        for (size_t k = i + 1; k < n; k++)
            assert_false(all[i].a.id == all[k].a.id && all[i].b.id == all[k].b.id);

    const int32_t r = ipr_db_test_player("fischer,r"),
                  robert = ipr_db_test_player("fischer,robert j");
    assert_ok(ipr_db_distinct(f->db, r, robert, "me", &told, &f->err), &f->err);
    assert_int_equal(doubtful(f, &all), n - 1);
    assert_ok(ipr_db_identity_undo(f->db, told, "me", &f->err), &f->err);
    assert_int_equal(doubtful(f, &all), n);
    assert_ok(ipr_db_merge(f->db, r, robert, false, "me", &merged, &f->err), &f->err);
    size_t left = doubtful(f, &all);
    assert_null(pair_of(all, left, "fischer,r", "fischer,robert j"));
    assert_non_null(pair_of(all, left, "fischer,robert j", "robert j fischer"));
    assert_ok(ipr_db_identity_undo(f->db, merged, "me", &f->err), &f->err);
    assert_int_equal(doubtful(f, &all), n);

    /* Who was split is two persons, however alike the names are. */
    struct ipr_db_split apart = into("fischer,bernd j");
    apart.colour = 0, apart.from = 1, apart.to = 9999;
    assert_ok(
        ipr_db_split(f->db, ipr_db_test_player("fischer,bernd"), &apart, "me", &told, &f->err),
        &f->err);
    assert_int_equal(doubtful(f, &all), n);
    assert_ok(ipr_db_identity_undo(f->db, told, "me", &f->err), &f->err);
    assert_int_equal(doubtful(f, &all), n); /* nor is one without games anybody */

    /* The same name with and without FIDE id; two FIDE ids are two persons. */
    static const struct ipr_identity fide[] = {
        { "karpov,anatoly", "karpov,anatoly", "karpov,anatoly", "karpov,anatoly", 4100026, false },
        { "karpov,anatoly", "karpov,anatoly", "karpov,anatoly", "karpov,anatoly", 4100027, false },
    };
    struct ipr_db_identity id[2];
    char sql[160];
    identities(f, fide, 2, id);
    for (int i = 0; i < 2; i++) {
        snprintf(sql, sizeof sql, "UPDATE game SET white_id = %d WHERE id = %lld", (int)id[i].id,
                 (long long)play(f, 200 + (unsigned)i, "tmp", "rival", 1990, false));
        ipr_db_test_sql(sql);
    }
    left = doubtful(f, &all);
    assert_int_equal(left, n + 2);
    const struct ipr_db_doubtful *same = pair_of(all, left, "karpov,anatoly", "karpov,anatoly");
    assert_non_null(same);
    assert_int_equal(same->why, IPR_SIMILARITY_SAME);
    assert_true((same->a.fide_id == 0) != (same->b.fide_id == 0));
}

/* A reason is one of the names shown; where another spelling is alike, that is shown too. */
static void test_doubtful_spellings(void **state)
{
    static const struct ipr_identity who[] = {
        { "Carlsen, M", "carlsen,m", "carlsen,m", "Carlsen, M", 0, false },
        { "Carlsen, Magnus", "carlsen,magnus", "carlsen,m", "Carlsen, M", 7, false },
        { "Polgár, Zsuzsa", "polgár,zsuzsa", "polgar,s", "Polgar, S", 8, false },
        { "Polgar, S", "polgar,s", "polgar,s", "Polgar, S", 0, false },
        { "Doe, Jane", "doe,jane", "doe,jane", "Doe, Jane", 9, false },
        { "Doe, Jane", "doe,jane", "doe,jane", "Doe, Jane", 10, false },
    };
    struct ipr_db_fixture *f = *state;
    struct ipr_db_doubtful *all = NULL;
    struct ipr_db_identity id[6];
    char sql[96];

    identities(f, who, 6, id);
    for (unsigned i = 0; i < 6; i++) {
        snprintf(sql, sizeof sql, "UPDATE game SET white_id = %d WHERE id = %lld", (int)id[i].id,
                 (long long)play(f, i + 1, "tmp", "rival", 1990, false));
        ipr_db_test_sql(sql);
    }
    assert_int_equal(doubtful(f, &all), 2);
    const struct ipr_db_doubtful *magnus = pair_of(all, 2, "Carlsen, M", "Carlsen, Magnus");
    const struct ipr_db_doubtful *susan = pair_of(all, 2, "Polgár, Zsuzsa", "Polgar, S");
    if (magnus == NULL || susan == NULL)
        fail_msg("two pairs are listed, others than these");
    assert_int_equal(magnus->why, IPR_SIMILARITY_INITIALS);
    assert_null(magnus->spelled[0]);
    assert_int_equal(susan->why, IPR_SIMILARITY_SAME);
    for (int i = 0; i < 2; i++)
        assert_non_null(strcasestr(susan->spelled[i], "polgar,"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_doubtful),
        WITH_DB(test_doubtful_spellings),
    };

    return cmocka_run_group_tests_name("doubtful", tests, NULL, NULL);
}
