#include "db/listed_years.h"

#include <math.h>
#include <stdlib.h>

#include "core/clock.h"
#include "db/judges.h"
#include "db/strength.h"
#include "queries/listed_years_inside.h"

/* A part takes about a second where persons have many years. */
#define PLAYERS_AT_ONCE 1000
#define CHANGES_AT_ONCE 5000
#define ROWS_AT_ONCE    50000 /* deleted */
#define PATIENCE_US     3000000

/* ---- rows ---- */

/* Careers first, by list and player. */
static int rows_order(const void *a, const void *b)
{
    const struct ipr_db_listed_strength *const x = a, *const y = b;

    if ((x->year == 0) != (y->year == 0))
        return x->year == 0 ? -1 : 1;
    if (x->list_id != y->list_id)
        return x->list_id < y->list_id ? -1 : 1;
    return (x->player_id > y->player_id) - (x->player_id < y->player_id);
}

/* By the scale of the games' own pool, as it is shown; untouched where that has none. */
static void career_rate(const struct ipr_db_person_year *year, size_t n,
                        struct ipr_db_listed_strength *career)
{
    struct ipr_strength_calibration calibration;
    struct ipr_trajectory t;
    unsigned classes = 0;

    for (size_t i = 0; i < n; i++) {
        classes |= year[i].of.classes;
        career->moves += (int32_t)year[i].of.moves;
    }
    if (!ipr_trajectory_of_stored(&ipr_pool_of(classes)->moves, year, n, &calibration, &t))
        return;
    if (career->for_its_time)
        ipr_trajectory_for_its_time(&t);
    const struct ipr_trajectory_peak p = ipr_trajectory_peak(&t);

    career->estimate = llround(IPR_STRENGTH_UNIT * p.at.mean);
    career->rise = isfinite(p.rise.by.mean) ? llround(IPR_STRENGTH_UNIT * p.rise.by.mean) : 0;
    career->peak_from = p.years.from;
    career->peak_to = p.years.to;
    ipr_trajectory_release(&t);
}

/* A career is listed by its peak. */
static enum ipr_code careers_rate(struct ipr_db *db, struct ipr_db_listed_strength *rows, size_t n,
                                  struct ipr_arena *mem, struct ipr_err *err)
{
    struct ipr_db_person_year *year = NULL;
    size_t careers = 0, n_years = 0, at = 0;

    qsort(rows, n, sizeof *rows, rows_order);
    while (careers < n && rows[careers].year == 0)
        careers++;
    const enum ipr_code rc =
        ipr_db_strength_of_listed(db, rows, careers, mem, &year, &n_years, err);
    for (size_t i = 0; i < careers; i++) {
        const size_t first = at;

        while (at < n_years && year[at].list_id == rows[i].list_id &&
               year[at].person == rows[i].player_id)
            at++;
        if (at > first)
            career_rate(&year[first], at - first, &rows[i]);
    }
    return rc;
}

/* Rates those that can be rated, for the order of the list, which is that of the moves: years by
 * the scale of Elo, whatever pool the games are of, which keeps their order. */
static enum ipr_code rows_rate(struct ipr_db *db, struct ipr_db_listed_strength *rows, size_t n,
                               struct ipr_arena *mem, struct ipr_err *err)
{
    size_t rated = 0;

    for (size_t i = 0; i < n; i++) {
        if (rows[i].information <= 0)
            continue;
        rows[rated] = rows[i];
        rows[rated++].estimate =
            llround(IPR_STRENGTH_UNIT *
                    ipr_strength_of_stored(&ipr_pool_of(IPR_TIME_SET_DEFAULT)->moves, &rows[i].mix,
                                           rows[i].score, rows[i].information)
                        .mean);
    }
    const enum ipr_code rc = careers_rate(db, rows, rated, mem, err);
    return rc == IPR_OK ? ipr_db_listed_years_rate(db, rows, rated, err) : rc;
}

/* In that list, or 0: in every list. */
static enum ipr_code rows_store(struct ipr_db *db, int32_t list,
                                const struct ipr_db_listed_year *of, size_t n_of,
                                struct ipr_arena *mem, struct ipr_err *err)
{
    struct ipr_db_listed_strength *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_listed_years_store(db, list, of, n_of, mem, &rows, &n, err);
    return rc == IPR_OK ? rows_rate(db, rows, n, mem, err) : rc;
}

/* Renews some of what has changed, in every list; *n: how much. */
static enum ipr_code changes_renew(struct ipr_db *db, int at_once, size_t *n, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_listed_year *changed = NULL;

    enum ipr_code rc = ipr_db_changed_years_take(db, at_once, &mem, &changed, n, err);
    if (rc == IPR_OK)
        rc = rows_store(db, 0, changed, *n, &mem, err);
    ipr_arena_release(&mem);
    return rc;
}

/* ---- parts ---- */

/* Players who are added meanwhile, and come before the last one, are among the changes. */
static enum ipr_code list_fill(struct ipr_db *db, int32_t list, int at_once, int32_t *filled,
                               struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_listed_year *of = NULL;
    size_t n_of = 0;
    int32_t last = 0;
    int n = 0;

    enum ipr_code rc = ipr_db_year_list_slice(db, *filled, at_once, &n, &last, err);
    if (rc == IPR_OK)
        rc = ipr_db_year_list_persons(db, *filled, last, &mem, &of, &n_of, err);
    if (rc == IPR_OK)
        rc = rows_store(db, list, of, n_of, &mem, err);
    ipr_arena_release(&mem);
    *filled = n < at_once ? -1 : last;
    if (rc == IPR_OK)
        rc = ipr_db_year_list_filled(db, list, *filled, err);
    return rc == IPR_OK && *filled < 0 ? ipr_db_year_lists_analyse(db, err) : rc;
}

/* Adds it if there is none. */
static enum ipr_code list_find(struct ipr_db *db, struct ipr_db_year_list_part *p,
                               struct ipr_err *err)
{
    bool found = false, current = false;

    enum ipr_code rc =
        ipr_db_year_list_get(db, p->judge_id, p->times, p->for_its_time, IPR_DB_LIST_VERSION,
                             &found, &p->id, &p->filled, &current, err);
    if (rc != IPR_OK || found)
        return rc == IPR_OK ? ipr_db_year_list_requested(db, p->id, err) : rc;
    p->filled = 0;
    return ipr_db_year_list_add(db, p->judge_id, p->times, p->for_its_time, IPR_DB_LIST_VERSION,
                                &p->id, err);
}

/* Changed rows come first: without any list they are only deleted. */
static enum ipr_code list_part(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct ipr_db_year_list_part *p = arg;
    const int changes = p->at_once * (CHANGES_AT_ONCE / PLAYERS_AT_ONCE);
    size_t n = 0;

    enum ipr_code rc = ipr_db_year_lists_lock(db, err);
    if (rc == IPR_OK)
        rc = changes_renew(db, changes, &n, err);
    if (rc != IPR_OK || n >= (size_t)changes)
        return rc;
    rc = list_find(db, p, err);
    if (rc == IPR_OK && p->filled >= 0)
        rc = list_fill(db, p->id, p->at_once, &p->filled, err);
    p->complete = rc == IPR_OK && p->filled < 0;
    return rc;
}

enum ipr_code ipr_db_year_list_go_on(struct ipr_db *db, struct ipr_db_year_list_part *p,
                                     struct ipr_err *err)
{
    p->complete = false;
    return ipr_db_within(db, list_part, p, err);
}

static enum ipr_code list_incomplete(struct ipr_db *db, const struct ipr_db_year_list_part *p,
                                     struct ipr_err *err)
{
    int percent = 0;

    if (p->filled < 0)
        return ipr_err_type(err, IPR_ERETRY, IPR_DB_LIST_INCOMPLETE,
                            "what has changed is being added to the list; retry later");
    const enum ipr_code rc = ipr_db_year_list_progress(db, p->filled, &percent, err);
    return rc == IPR_OK
               ? ipr_err_type(err, IPR_ERETRY, IPR_DB_LIST_INCOMPLETE,
                              "the list is being computed, %d %% is done; retry later", percent)
               : rc;
}

/* Part by part until it is complete or patience ends. */
static enum ipr_code list_go_on_patiently(struct ipr_db *db, struct ipr_db_year_list_part *p,
                                          struct ipr_err *err)
{
    const int64_t until = ipr_now_us() + PATIENCE_US;
    bool found = false, current = false;

    enum ipr_code rc =
        ipr_db_year_list_get(db, p->judge_id, p->times, p->for_its_time, IPR_DB_LIST_VERSION,
                             &found, &p->id, &p->filled, &current, err);
    p->complete = found && current;
    while (rc == IPR_OK && !p->complete && ipr_now_us() < until)
        rc = ipr_db_year_list_go_on(db, p, err);
    return rc;
}

enum ipr_code ipr_db_year_list(struct ipr_db *db, int32_t judge_id, unsigned times,
                               bool for_its_time, int32_t *id, struct ipr_err *err)
{
    struct ipr_db_year_list_part p = { .judge_id = judge_id,
                                       .times = times,
                                       .for_its_time = for_its_time,
                                       .at_once = PLAYERS_AT_ONCE };

    const enum ipr_code rc = list_go_on_patiently(db, &p, err);
    *id = p.id;
    return rc != IPR_OK || p.complete ? rc : list_incomplete(db, &p, err);
}

enum ipr_code ipr_db_year_list_so_far(struct ipr_db *db, int32_t judge_id, unsigned times,
                                      bool for_its_time, int32_t *id, bool *complete,
                                      struct ipr_err *err)
{
    struct ipr_db_year_list_part p = { .judge_id = judge_id,
                                       .times = times,
                                       .for_its_time = for_its_time,
                                       .at_once = PLAYERS_AT_ONCE };

    const enum ipr_code rc = list_go_on_patiently(db, &p, err);
    *id = p.id;
    *complete = p.complete;
    return rc;
}

/* ---- without a request ---- */

static enum ipr_code list_forget(struct ipr_db *db, int32_t id, struct ipr_err *err)
{
    int64_t n = 0;

    const enum ipr_code rc = ipr_db_year_list_forget(db, id, ROWS_AT_ONCE, &n, err);
    return rc == IPR_OK && n < ROWS_AT_ONCE ? ipr_db_year_list_delete(db, id, err) : rc;
}

static enum ipr_code undone_part(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    bool *worked = arg, many = false;
    int32_t id = 0, filled = 0;
    size_t n = 0;

    enum ipr_code rc = ipr_db_year_lists_lock(db, err);
    if (rc == IPR_OK)
        rc = ipr_db_year_changes_are_many(db, CHANGES_AT_ONCE, &many, err);
    if (rc == IPR_OK && many)
        rc = changes_renew(db, CHANGES_AT_ONCE, &n, err);
    *worked = many;
    if (rc == IPR_OK && !many)
        rc = ipr_db_year_list_undone(db, worked, &id, &filled, err);
    if (rc != IPR_OK || many || !*worked)
        return rc;
    return filled < 0 ? list_forget(db, id, err) : list_fill(db, id, PLAYERS_AT_ONCE, &filled, err);
}

enum ipr_code ipr_db_year_lists_work(struct ipr_db *db, bool *worked, struct ipr_err *err)
{
    *worked = false;
    return ipr_db_within(db, undone_part, worked, err);
}
