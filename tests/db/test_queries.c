/* What sql/queries says of its queries is what PostgreSQL makes of them. */
#define IPR_QUERIES_TABLE
#include "queries.h"

#include <libpq-fe.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ipr_db_test.h"
#include "ipr_test.h"

/* Types by the letters of sql/gen_queries.awk: their numbers in catalogue pg_type. Whole numbers
 * are read from any type that holds them, and their ranges checked then. */
static bool fits(char letter, Oid type)
{
    static const struct {
        char letter;
        Oid types[8];
    } known[] = {
        { 'i', { 20, 21, 23, 1700 } },        /* bigint, smallint, integer, numeric */
        { 'd', { 700, 701, 1700 } },          /* real, double precision, numeric */
        { 'b', { 16 } },                      /* boolean */
        { 't', { 25, 19, 114, 1043, 3802 } }, /* text, name, json, varchar, jsonb */
        { 'y', { 17 } },                      /* bytea */
        { 'I', { 1005, 1007, 1016 } },        /* smallint[], integer[], bigint[] */
        { 'T', { 1009 } },                    /* text[] */
        { 'B', { 1000 } },                    /* boolean[] */
        { 'Y', { 1001 } },                    /* bytea[] */
        { 'U', { 2951 } },                    /* uuid[] */
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (size_t k = 0; known[i].letter == letter && known[i].types[k] != 0; k++)
            if (known[i].types[k] == type)
                return true;
    return false;
}

static unsigned wrong;

static void check_params(const struct ipr_query_text *q, const PGresult *res)
{
    for (int i = 0; i < q->n_params; i++)
        if (!fits(q->params[i], PQparamtype(res, i))) {
            print_error("%s: $%d is of type %u, annotated as '%c'\n", q->name, i + 1,
                        PQparamtype(res, i), q->params[i]);
            wrong++;
        }
}

/* "name:letter name:letter": each is there, with that type. */
static int check_columns(const struct ipr_query_text *q, const PGresult *res)
{
    char *columns = strdup(q->columns), *rest = columns, *name;
    int n = 0;

    assert_non_null(columns);
    for (; (name = strsep(&rest, " ")) != NULL; n++) {
        char *const letter = strchr(name, ':');

        *letter = '\0';
        const int at = PQfnumber(res, name);
        if (at < 0 || !fits(letter[1], PQftype(res, at))) {
            print_error("%s: column %s: %s\n", q->name, name, at < 0 ? "not there" : "its type");
            wrong++;
        }
    }
    free(columns);
    return n;
}

/* Columns that nobody reads are a waste; those of type void, of notifications, are none. */
static int readable(const PGresult *res)
{
    int n = 0;

    for (int i = 0; i < PQnfields(res); i++)
        n += PQftype(res, i) != 2278;
    return n;
}

/* In each of the spaces, whose views have fewer abilities than tables. */
static void check_descriptions(const char *url, const char *space)
{
    PGconn *conn = PQconnectdb(url);
    unsigned checked = 0;

    assert_int_equal(PQstatus(conn), CONNECTION_OK);
    PQclear(PQexec(conn, space));
    for (size_t i = 0; i < IPR_Q_COUNT; i++) {
        const struct ipr_query_text *const q = &ipr_queries[i];
        PGresult *res = PQprepare(conn, q->name, q->sql, q->n_params, NULL);

        if (PQresultStatus(res) != PGRES_COMMAND_OK)
            fail_msg("%s: %s", q->name, PQerrorMessage(conn));
        PQclear(res);
        if (q->params == NULL)
            continue;
        res = PQdescribePrepared(conn, q->name);
        assert_int_equal(PQnparams(res), q->n_params);
        check_params(q, res);
        if (q->columns != NULL && check_columns(q, res) != readable(res)) {
            print_error("%s: has columns that are not read\n", q->name);
            wrong++;
        }
        PQclear(res);
        checked++;
    }
    PQfinish(conn);
    assert_true(checked > 100);
    assert_int_equal(wrong, 0);
}

static void test_descriptions(void **state)
{
    const struct ipr_db_fixture *const f = *state;

    check_descriptions(f->url, "SET search_path = public");
    check_descriptions(f->url, "SET search_path = listed, public");
    check_descriptions(f->url, "SET search_path = private, public;"
                               "SET intrinsic.upload = 1000000000");
}

int main(void)
{
    const struct CMUnitTest tests[] = { WITH_DB(test_descriptions) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
