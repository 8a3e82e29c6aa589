/* Tournaments to choose from. */
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "core/names.h"
#include "db/tournaments.h"
#include "resource/cursor.h"
#include "sentence/sentence.h"
#include "view/context.h"
#include "view/player/search.h"

/* ---- in words ---- */

/* How many events of which years; the year of an event is 0 where it is not known. */
static const char *events_named(const struct ipr_db_tournament *rows, size_t n,
                                struct ipr_arena *mem)
{
    enum ipr_event_events which = IPR_EVENT_EVENTS_YEARS;
    int first = INT_MAX, last = 0;

    for (size_t i = 0; i < n; i++) {
        first = rows[i].year > 0 && rows[i].year < first ? rows[i].year : first;
        last = rows[i].year > last ? rows[i].year : last;
    }
    if (last == 0)
        which = IPR_EVENT_EVENTS_UNDATED;
    else if (first == last)
        which = IPR_EVENT_EVENTS_YEAR;
    return ipr_say_event_events(which, &(struct ipr_event_events_slots){ (double)n, first, last },
                                mem);
}

/* The event listed with most games of those whose games are all counted; NULL: one alone. */
static const struct ipr_db_tournament *events_largest(const struct ipr_db_tournament *rows,
                                                      size_t n)
{
    const struct ipr_db_tournament *largest = NULL;

    for (size_t i = 0; i < n; i++)
        if (rows[i].games <= IPR_TOURNAMENT_GAMES &&
            rows[i].games > (largest != NULL ? largest->games : 0))
            largest = &rows[i];
    return n < 2 ? NULL : largest;
}

/* Which events are listed, which of them have games analysed for the rating, or by the engine
 * setting that the request names, and the largest. `part`: there is a page before or after this
 * one. */
static const char *events_finding(const struct ipr_view_context *c,
                                  const struct ipr_events_request *p,
                                  const struct ipr_db_tournament *rows, size_t n, bool part)
{
    struct ipr_arena *const mem = c->v->mem;
    struct ipr_event_list_slots slots = { .part = part };
    const struct ipr_db_tournament *const largest = events_largest(rows, n);
    enum ipr_event_list which = IPR_EVENT_LIST_SOME_ANALYSED;
    size_t analysed = 0;

    for (size_t i = 0; i < n; i++)
        analysed += (p->judge != NULL ? rows[i].judged : rows[i].analysed) > 0;
    if (n == 0 && p->q != NULL && *p->q != '\0')
        which = IPR_EVENT_LIST_NO_WORDS;
    else if (n == 0)
        which = p->year != 0 ? IPR_EVENT_LIST_NO_YEAR : IPR_EVENT_LIST_NONE;
    else if (analysed == 0)
        which = IPR_EVENT_LIST_NONE_ANALYSED;
    else if (analysed == n)
        which = n > 1 ? IPR_EVENT_LIST_ALL_ANALYSED : IPR_EVENT_LIST_ANALYSED;
    else if (analysed == 1)
        which = IPR_EVENT_LIST_ONE_ANALYSED;
    slots.events = events_named(rows, n, mem);
    slots.analysed = (double)analysed;
    if (p->judge != NULL)
        slots.setting = c->judge.name;
    if (largest != NULL) {
        slots.largest = ipr_name_dated(largest->name, largest->year, mem);
        slots.games = largest->games;
    }
    return ipr_say_event_list(which, &slots, mem);
}

/* "tata 2019": where no name has all of that, the events of that year with the other words. */
static enum ipr_code events_found(const struct ipr_view_context *c,
                                  const struct ipr_events_request *p,
                                  struct ipr_db_tournament_query *q,
                                  struct ipr_db_tournament **rows, size_t *n, struct ipr_err *err)
{
    const struct ipr_search asked = ipr_search_read(q->search, c->v->mem);
    enum ipr_code rc = ipr_db_tournament_list(c->v->db, q, c->v->mem, rows, n, err);

    if (q->from != 0 || q->to != 0 || p->after != NULL)
        return rc;
    for (int i = 0; rc == IPR_OK && *n == 0 && i < asked.n_years; i++) {
        q->search = asked.words;
        q->from = q->to = asked.years[i];
        rc = ipr_db_tournament_list(c->v->db, q, c->v->mem, rows, n, err);
    }
    return rc;
}

#define PART_YEARS 10000 /* added in cursors of events that have games missing */

enum ipr_code ipr_fill_events(const struct ipr_view_context *c, const struct ipr_events_request *p,
                              struct ipr_answer_events *out, struct ipr_err *err)
{
    const size_t limit = (size_t)p->limit;
    struct ipr_db_tournament_query q = { .search = p->q != NULL ? p->q : "",
                                         .player = p->player,
                                         .upload = p->upload,
                                         .ascending = p->sort == IPR_EVENTS_SORT_YEAR,
                                         .judge_id = c->judge_id,
                                         .limit = p->limit + 1 }; /* whether there is a next page */
    struct ipr_db_tournament *rows = NULL;
    int64_t after_year;
    size_t n = 0;

    ipr_view_years(p->year, p->from, p->to, &q.from, &q.to);
    enum ipr_code rc = ipr_param_cursor_pair(p->after, INT16_MAX, &after_year, &q.after_id, err);
    if (rc != IPR_OK)
        return rc;
    q.after_part = after_year >= PART_YEARS;
    q.after_year = (int)after_year - (q.after_part ? PART_YEARS : 0);
    rc = events_found(c, p, &q, &rows, &n, err);
    if (rc != IPR_OK)
        return rc;
    out->judge = ipr_view_context_setting(c);
    out->search = p->q;
    out->year = p->year;
    out->events.at = ipr_shape_list(IPR_SHAPE_EVENT_LIST_ROW, n, c->v->mem);
    out->events.n = n < limit ? n : limit;
    for (size_t i = 0; i < out->events.n; i++) {
        out->events.at[i].row = &rows[i];
        out->events.at[i].counted_all = rows[i].games <= IPR_TOURNAMENT_GAMES;
    }
    if (n > limit)
        out->next = ipr_arena_printf(c->v->mem, "%d-%" PRId32,
                                     rows[limit - 1].year + (rows[limit - 1].part ? PART_YEARS : 0),
                                     rows[limit - 1].id);
    out->finding = events_finding(c, p, rows, out->events.n, p->after != NULL || n > limit);
    return IPR_OK;
}
