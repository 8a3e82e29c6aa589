/* Tournaments to choose from. */
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "db/tournaments.h"
#include "resource/cursor.h"
#include "view/context.h"
#include "view/json.h"
#include "view/player/search.h"
#include "view/rows.h"
#include "view/wording.h"

static json_t *event_json(const struct ipr_db_tournament *t)
{
    json_t *out = ipr_row_json(IPR_SHAPE_EVENT_LIST_ROW, t);

    json_object_set_new(out, "counted_all", json_boolean(t->games <= IPR_TOURNAMENT_GAMES));
    return out;
}

/* ---- in words ---- */

/* "from 1836 to 1985"; the year of an event is 0 where it is not known. */
static const char *events_years(const json_t *list, struct ipr_arena *mem)
{
    int first = INT_MAX, last = 0;
    const json_t *event;
    size_t i;

    json_array_foreach(list, i, event) {
        const int year = (int)ipr_json_at(event, "year", 0.0);

        first = year > 0 && year < first ? year : first;
        last = year > last ? year : last;
    }
    if (last == 0)
        return "";
    return first == last ? ipr_arena_printf(mem, " of %d", last)
                         : ipr_arena_printf(mem, " from %d to %d", first, last);
}

/* `member`: by which engine setting. */
static double events_analysed(const json_t *list, const char *member)
{
    const json_t *event;
    double n = 0.0;
    size_t i;

    json_array_foreach(list, i, event)
        n += ipr_json_at(event, member, 0.0) > 0.0;
    return n;
}

/* " with the engine setting standard", if the request names one. */
static const char *events_setting(const json_t *out, bool named, struct ipr_arena *mem)
{
    return named ? ipr_arena_printf(mem, " with the engine setting %s",
                                    ipr_json_text_at(out, "judge.name"))
                 : "";
}

/* The event listed with most games, as text; the lists' limit of counting is in `counted_all`. */
static const char *events_largest(const json_t *list, struct ipr_arena *mem)
{
    const json_t *event, *largest = NULL;
    double most = 0.0;
    size_t i;

    json_array_foreach(list, i, event) {
        const double games = ipr_json_at(event, "games", 0.0);

        if (games > most && ipr_json_true_at(event, "counted_all")) {
            most = games;
            largest = event;
        }
    }
    if (largest == NULL || json_array_size(list) < 2)
        return "";
    return ipr_arena_printf(mem, " The largest is %s%s, %s.", ipr_json_text_at(largest, "name"),
                            ipr_json_at(largest, "year", 0.0) > 0.0
                                ? ipr_arena_printf(mem, " %.0f", ipr_json_at(largest, "year", 0.0))
                                : "",
                            ipr_wording_plural(most, "game", "games", mem));
}

/* ", all with analysed games", ", of which 3 have analysed games". */
static const char *events_with(double n, double analysed, const char *setting,
                               struct ipr_arena *mem)
{
    if (analysed == 0.0)
        return ipr_arena_printf(mem, ", none with games analysed%s", setting);
    if (analysed == n)
        return ipr_arena_printf(
            mem, n > 1.0 ? ", all with games analysed%s" : ", with games analysed%s", setting);
    return ipr_arena_printf(mem, ", of which %s %s games analysed%s",
                            ipr_wording_count(analysed, mem), analysed > 1.0 ? "have" : "has",
                            setting);
}

/* Which events are listed, which of them have games analysed for the rating, or by the engine
 * setting that the request has `named`, and the largest. `part`: there is a page before or after
 * this one. */
static const char *events_finding(const json_t *out, bool part, bool named, struct ipr_arena *mem)
{
    const json_t *const list = json_object_get(out, "events");
    const double n = (double)json_array_size(list),
                 analysed = events_analysed(list, named ? "games_judged" : "games_analysed");

    if (n == 0.0) {
        if (*ipr_json_text_at(out, "search") != '\0')
            return "No event with these words in its name.";
        return json_is_integer(json_object_get(out, "year"))
                   ? "No event of this year."
                   : "No game that names an event is stored, or none passes these filters.";
    }
    return ipr_arena_printf(mem, "%s%s%s%s.%s", part ? "On this page: " : "",
                            ipr_wording_plural(n, "event", "events", mem), events_years(list, mem),
                            events_with(n, analysed, events_setting(out, named, mem), mem),
                            events_largest(list, mem));
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

enum ipr_code ipr_fill_events(const struct ipr_view_context *c, const struct ipr_events_request *p,
                              json_t *out, struct ipr_err *err)
{
    const size_t limit = (size_t)p->limit;
    struct ipr_db_tournament_query q = { .search = p->q != NULL ? p->q : "",
                                         .player = p->player,
                                         .ascending = p->sort == IPR_EVENTS_SORT_YEAR,
                                         .judge_id = c->judge_id,
                                         .limit = p->limit + 1 }; /* whether there is a next page */
    struct ipr_db_tournament *rows = NULL;
    json_t *list = json_array(), *next = json_null();
    int64_t after_year;
    size_t n = 0;

    json_object_set_new(out, "events", list);
    ipr_view_years(p->year, p->from, p->to, &q.from, &q.to);
    enum ipr_code rc = ipr_param_cursor_pair(p->after, INT16_MAX, &after_year, &q.after_id, err);
    if (rc == IPR_OK) {
        q.after_year = (int)after_year;
        rc = events_found(c, p, &q, &rows, &n, err);
    }
    for (size_t i = 0; i < n && i < limit; i++)
        json_array_append_new(list, event_json(&rows[i]));
    if (n > limit)
        next = json_sprintf("%d-%" PRId32, rows[limit - 1].year, rows[limit - 1].id);
    json_object_set_new(out, "next", next);
    json_object_set_new(out, "judge", ipr_view_context_judge(c));
    json_object_set_new(out, "search", ipr_json_text(p->q));
    json_object_set_new(out, "year", ipr_json_known(p->year));
    json_object_set_new(out, "finding",
                        json_string(events_finding(out, p->after != NULL || n > limit,
                                                   p->judge != NULL, c->v->mem)));
    return rc;
}
