/* A query that the server cancels is a failure of the answer, whichever query it is: what was not
 * read is never taken for what is not there, which would be answered, and cached. */
#include <dlfcn.h>
#include <libpq-fe.h>

#include "evidence.h"
#include "ipr_sentences_sample.h"
#include "view/evidence/evidence.h"

static struct {
    int run, cancelled; /* queries so far; the one to cancel, 0: none */
} queries;

/* libpq's, before it: the server cancels a query as a statement timeout does. */
int PQsendQueryPrepared(PGconn *conn, const char *name, int n, const char *const *values,
                        const int *lengths, const int *formats, int binary)
{
    int (*send)(PGconn *, const char *, int, const char *const *, const int *, const int *, int);

    *(void **)&send = dlsym(RTLD_NEXT, "PQsendQueryPrepared");
    return ++queries.run == queries.cancelled
               ? PQsendQuery(conn, "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '57014'; END $$")
               : send(conn, name, n, values, lengths, formats, binary);
}

static enum ipr_code ask(struct ipr_view_scene *s,
                         enum ipr_code (*view)(struct ipr_view_scene *, json_t **), int cancelled)
{
    json_t *out = NULL;

    queries.run = 0;
    queries.cancelled = cancelled;
    ipr_err_clear(&s->err);
    const enum ipr_code rc = view(s, &out);
    queries.cancelled = 0;
    json_decref(out);
    return rc;
}

/* Each query in turn. */
static void each_is_told(struct ipr_view_scene *s,
                         enum ipr_code (*view)(struct ipr_view_scene *, json_t **))
{
    assert_ok(ask(s, view, 0), &s->err); /* from now on nothing is stored any more */
    assert_ok(ask(s, view, 0), &s->err);
    const int n = queries.run;
    assert_true(n > 0);
    for (int i = 1; i <= n; i++) {
        const enum ipr_code rc = ask(s, view, i);
        if (rc != IPR_ERETRY)
            fail_msg("query %d of %d is cancelled: %d %s", i, n, (int)rc, s->err.msg);
    }
}

static enum ipr_code view_ratings(struct ipr_view_scene *s, json_t **out)
{
    return rate(&s->view, ipr_db_test_player("Few, A"), 2001, out, &s->err);
}

static enum ipr_code view_player(struct ipr_view_scene *s, json_t **out)
{
    return ipr_view_player(&s->view,
                           &(struct ipr_player_request){ .player = ipr_db_test_player("Few, A") },
                           out, &s->err);
}

static enum ipr_code view_players(struct ipr_view_scene *s, json_t **out)
{
    const struct ipr_players_request all = IPR_PLAYERS_REQUEST_INIT;

    return ipr_view_players_page(&s->view, &all, out, &s->err);
}

static enum ipr_code view_calibration(struct ipr_view_scene *s, json_t **out)
{
    return ipr_view_calibration_page(
        &s->view, &(struct ipr_calibration_request){ .name = "sample" }, out, &s->err);
}

static enum ipr_code view_evidence(struct ipr_view_scene *s, json_t **out)
{
    struct ipr_evidence_request p = IPR_EVIDENCE_REQUEST_INIT;

    p.player = person("Ann");
    p.opponent = person("Bob");
    p.judge = "sample";
    return ipr_view_evidence(&s->view, &p, out, &s->err);
}

static enum ipr_code view_prediction(struct ipr_view_scene *s, json_t **out)
{
    return predict(&s->view, ipr_db_test_player("Few, A"), ipr_db_test_player("Few, B"),
                   IPR_PREDICTION_METHOD_ALL, out, &s->err);
}

static enum ipr_code view_search(struct ipr_view_scene *s, json_t **out)
{
    struct ipr_search_request p = IPR_SEARCH_REQUEST_INIT;

    p.q = "few";
    return ipr_view_search(&s->view, &p, out, &s->err);
}

static enum ipr_code view_careers(struct ipr_view_scene *s, json_t **out)
{
    struct ipr_careers_request p = IPR_CAREERS_REQUEST_INIT;

    return ipr_view_careers(&s->view, &p, out, &s->err);
}

/* A year whose moves no engine setting has analysed, which is looked for with others. */
static void unanalysed_year(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_db_new_game g = ipr_sample_game(&s->mem, 1, "Few, A", "Few, B", 2001, 70);

    ipr_sample_store(s->db, &g, 1, "sample");
    each_is_told(s, view_ratings);
    each_is_told(s, view_player);
    each_is_told(s, view_players);
    each_is_told(s, view_prediction);
    each_is_told(s, view_search);
    each_is_told(s, view_careers);
}

static void calibration(void **state)
{
    struct ipr_view_scene *s = *state;

    ipr_sample_calibration(s->db, &s->judge, "own");
    add_games(s, 1, 2, "Few, A", "Few, B", 2001);
    each_is_told(s, view_calibration);
}

static void analysed_moves(void **state)
{
    struct ipr_view_scene *s = *state;

    scene_fill(s);
    each_is_told(s, view_evidence);
    add_games(s, 1, 2, "Few, A", "Few, B", 2001);
    each_is_told(s, view_ratings);
    each_is_told(s, view_player);
    each_is_told(s, view_players);
}

int main(void)
{
    const struct CMUnitTest tests[] = { WITH_VIEW(unanalysed_year), WITH_VIEW(calibration),
                                        WITH_VIEW(analysed_moves) };

    ipr_sentences_sample();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
