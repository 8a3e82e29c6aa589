#include "ipr_test.h"

#include <stdio.h>

#include "engine/process.h"
#include "engine/programs.h"

/* Programs that are surely there and executable; they are not started. */
#define A "/bin/sh"
#define B "/bin/cat"

static struct row {
    const char *name, *stockfish, *engines;
    enum ipr_code code;
    const char *said; /* part of the message */
    size_t n;
} rows[] = {
    { "Stockfish alone", A, "", IPR_OK, NULL, 1 },
    { "nothing said of others", A, NULL, IPR_OK, NULL, 1 },
    { "two more", A, "toga2=" A ",ethereal-chess=" B, IPR_OK, NULL, 3 },
    { "spaces around", A, " toga2=" B " , x=" B, IPR_OK, NULL, 3 },
    { "others without Stockfish", NULL, "toga2=" A, IPR_OK, NULL, 1 },
    { "others, and a Stockfish that is not there", "/nonexistent", "toga2=" A, IPR_EIO,
      "/nonexistent", 0 },
    { "none at all", NULL, "", IPR_EIO, "stockfish", 0 },
    { "no path", A, "toga2", IPR_EPARSE, "\"toga2\" is not name=path", 0 },
    { "empty path", A, "toga2=", IPR_EPARSE, "executable", 0 },
    { "no such file", A, "toga2=/nonexistent", IPR_EPARSE, "toga2=/nonexistent", 0 },
    { "a folder", A, "toga2=/tmp", IPR_EPARSE, "executable", 0 },
    { "a plain file", A, "toga2=/etc/passwd", IPR_EPARSE, "executable", 0 },
    { "no name", A, "=" B, IPR_EPARSE, "has a name other than", 0 },
    { "capital letters", A, "Toga=" B, IPR_EPARSE, "has a name other than", 0 },
    { "a long name", A, "abcdefghijklmnopqrstuvwxyz0123456=" B, IPR_EPARSE, "at most 31", 0 },
    { "twice", A, "x=" B ",x=" A, IPR_EPARSE, "already used", 0 },
    { "Stockfish's name", A, "stockfish=" B, IPR_EPARSE, "already used", 0 },
    { "fishnet's name", A, "fishnet=" B, IPR_EPARSE, "already used", 0 },
    { "nothing between commas", A, "x=" B ",,y=" B, IPR_EPARSE, "is not name=path", 0 },
    { "too many", A,
      "a=" A ",b=" A ",c=" A ",d=" A ",e=" A ",f=" A ",g=" A ",h=" A ",i=" A ",j=" A ",k=" A ",l=" A
      ",m=" A ",n=" A ",o=" A ",p=" A ",q=" A,
      IPR_EPARSE, "one engine too many", 0 },
};

static void test_read(void **state)
{
    const struct row *r = *state;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_programs p = { .n = 77 };
    const char *unasked;

    /* Unasked, a Stockfish is taken where one is installed. */
    const bool found =
        r->stockfish == NULL && ipr_engine_find(NULL, &mem, &unasked, NULL) == IPR_OK;
    const enum ipr_code code = found ? IPR_OK : r->code;
    assert_int_equal(ipr_programs_read(r->stockfish, r->engines, &mem, &p, &err), code);
    if (code == IPR_OK) {
        assert_int_equal(p.n, r->n + found);
        if (r->stockfish != NULL)
            assert_string_equal(ipr_programs_path(&p, "stockfish"), r->stockfish);
        assert_null(ipr_programs_path(&p, "fishnet"));
    } else {
        assert_int_equal(p.n, 77);
        assert_non_null(strstr(err.msg, r->said));
    }
    ipr_arena_release(&mem);
}

static void test_paths(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_programs p;

    (void)state;
    assert_ok(ipr_programs_read(A, "one=" B ",two=sh", &mem, &p, &err), &err);
    assert_string_equal(p.program[0].name, "stockfish");
    assert_string_equal(ipr_programs_path(&p, "one"), B);
    assert_non_null(strstr(ipr_programs_path(&p, "two"), "/sh")); /* found on PATH */
    assert_null(ipr_programs_path(&p, "three"));
    assert_null(ipr_programs_path(&p, ""));
    ipr_arena_release(&mem);
}

#define N (sizeof rows / sizeof rows[0])

int main(void)
{
    struct CMUnitTest tests[N + 1] = { cmocka_unit_test(test_paths) };

    for (size_t i = 0; i < N; i++)
        tests[1 + i] = (struct CMUnitTest){ .name = rows[i].name,
                                            .test_func = test_read,
                                            .initial_state = &rows[i] };
    return cmocka_run_group_tests_name("engine/programs", tests, NULL, NULL);
}
