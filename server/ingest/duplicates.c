#include "ingest/duplicates.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/names.h"
#include "db/events.h"
#include "ingest/row.h"

/* ---- do the particulars fit -------------------------------------------------------------------
 */

/* A PGN date; 0 for what is unknown. */
struct date {
    int64_t part[3]; /* year, month, day */
};

static struct date read_date(const char *text)
{
    struct date d = { { ipr_row_year(ipr_str_c(text)), 0, 0 } };

    const size_t n = strlen(text);

    if (d.part[0] == 0 || n < 7 ||
        !ipr_str_int((struct ipr_str){ text + 5, 2 }, 1, 12, &d.part[1]) || n < 10)
        return d;
    (void)ipr_str_int((struct ipr_str){ text + 8, 2 }, 1, 31, &d.part[2]);
    return d;
}

static bool dates_fit(const struct date *a, const struct date *b)
{
    for (int i = 0; i < 3; i++)
        if (a->part[i] != 0 && b->part[i] != 0 && a->part[i] != b->part[i])
            return false;
    return true;
}

static int known_parts(const struct date *d)
{
    int n = 0;

    while (n < 3 && d->part[n] != 0)
        n++;
    return n;
}

static bool same_day(const struct date *a, const struct date *b)
{
    return known_parts(a) == 3 && known_parts(b) == 3 && dates_fit(a, b);
}

/* "3" is the round of which "3.1" is a board. */
static bool is_round_of(const char *a, const char *b)
{
    const size_t n = strlen(a);

    return strncmp(a, b, n) == 0 && (b[n] == '\0' || b[n] == '.');
}

static bool rounds_fit(const char *a, const char *b)
{
    return a[0] == '\0' || b[0] == '\0' || is_round_of(a, b) || is_round_of(b, a);
}

static bool same_event(const struct ipr_db_new_game *a, const struct ipr_db_new_game *b)
{
    return a->event_id == b->event_id && a->event_id != IPR_EVENT_NONE;
}

/* Without moves nothing but the particulars can tell two games of a pair apart. */
static bool same_place(const struct ipr_db_new_game *a, const struct ipr_db_new_game *b, bool day)
{
    return strcmp(a->round, b->round) == 0 && same_event(a, b) && (a->round[0] != '\0' || day);
}

static bool results_fit(enum ipr_result a, enum ipr_result b)
{
    return a == b || a == IPR_RESULT_UNKNOWN || b == IPR_RESULT_UNKNOWN;
}

bool ipr_duplicate_possible(const struct ipr_db_new_game *a, const struct ipr_db_new_game *b)
{
    const struct date da = read_date(a->date), db = read_date(b->date);
    const size_t common = a->n_moves < b->n_moves ? a->n_moves : b->n_moves;
    const bool day = same_day(&da, &db);
    const bool same_moves = a->n_moves == b->n_moves && a->moves_key == b->moves_key;

    if (!dates_fit(&da, &db) || !rounds_fit(a->round, b->round))
        return false;
    if (!results_fit(a->result, b->result) && !(same_moves && day && common > 0))
        return false;
    if (common == 0)
        return same_place(a, b, day);
    return common >= IPR_DUPLICATE_LONG || day || same_event(a, b);
}

/* ---- are players and moves the same -----------------------------------------------------------
 */

static bool same_start(const struct ipr_db_new_game *a, const struct ipr_db_new_game *b)
{
    const char *fa = a->start_fen != NULL ? a->start_fen : "";
    const char *fb = b->start_fen != NULL ? b->start_fen : "";

    return strcmp(fa, fb) == 0;
}

static bool same_persons(const struct ipr_db_new_game *a, const struct ipr_db_new_game *b)
{
    return a->white_id.person == b->white_id.person && a->black_id.person == b->black_id.person;
}

static bool has_nobody(const struct ipr_db_new_game *g)
{
    return g->white_id.person == IPR_PLAYER_NOBODY || g->black_id.person == IPR_PLAYER_NOBODY;
}

/* The moves of the one with fewer are the first of the other's. */
static bool begins(const struct ipr_db_new_game *a, const struct ipr_db_new_game *b)
{
    const size_t n = a->n_moves < b->n_moves ? a->n_moves : b->n_moves;

    return same_start(a, b) && (n == 0 || memcmp(a->moves, b->moves, n * sizeof *a->moves) == 0);
}

static bool other_spelling(const struct ipr_db_new_game *a, const struct ipr_db_new_game *b)
{
    return a->n_moves >= IPR_DUPLICATE_LONG && a->result == b->result && !has_nobody(a) &&
           !has_nobody(b) && ipr_names_fit(a->white.key, b->white.key) &&
           ipr_names_fit(a->black.key, b->black.key);
}

enum ipr_duplicate ipr_duplicate_of(const struct ipr_db_new_game *sent,
                                    const struct ipr_db_new_game *kept)
{
    const bool persons = same_persons(sent, kept);

    if ((!persons && sent->moves_key != kept->moves_key) || !ipr_duplicate_possible(sent, kept) ||
        !begins(sent, kept))
        return IPR_DUPLICATE_NONE;
    if (sent->n_moves == kept->n_moves) {
        if (persons)
            return IPR_DUPLICATE_IDENTICAL;
        return other_spelling(sent, kept) ? IPR_DUPLICATE_SPELLING : IPR_DUPLICATE_NONE;
    }
    if (!persons || has_nobody(sent))
        return IPR_DUPLICATE_NONE;
    return sent->n_moves < kept->n_moves ? IPR_DUPLICATE_CONTAINED : IPR_DUPLICATE_EXTENDS;
}

/* ---- the richer tags win ----------------------------------------------------------------------
 */

static bool fuller_date(const char *own, const char *other)
{
    const struct date a = read_date(own), b = read_date(other);

    return dates_fit(&a, &b) && known_parts(&b) > known_parts(&a);
}

/* These say who played what; what is kept has its own. */
static bool is_own(const char *name)
{
    static const char *const own[] = { "White", "Black", "FEN", "SetUp" };

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(name, own[i]) == 0)
            return true;
    return false;
}

/* These say how it ended: they go with the moves. */
static bool is_end(const char *name)
{
    return strcmp(name, "Result") == 0 || strcmp(name, "PlyCount") == 0;
}

static bool better(const char *name, const char *own, const char *other, bool new_end)
{
    if (!ipr_row_known(other) || is_own(name) || (own != NULL && strcmp(own, other) == 0))
        return false;
    if (is_end(name))
        return new_end;
    if (own == NULL || !ipr_row_known(own))
        return true;
    return strcmp(name, "Date") == 0 && fuller_date(own, other);
}

static bool merge_tags(json_t *own, json_t *other, bool new_end)
{
    const char *name;
    json_t *value;
    bool took = false;

    json_object_foreach(other, name, value)
    {
        const char *text = json_string_value(value);
        const char *had = json_string_value(json_object_get(own, name));

        if (text != NULL && better(name, had, text, new_end)) {
            json_object_set(own, name, value);
            took = true;
        }
    }
    return took;
}

static bool enrich_tags(struct ipr_db_new_game *kept, const struct ipr_db_new_game *sent,
                        bool new_end, struct ipr_arena *mem)
{
    bool took = false;

    if (strcmp(kept->tags_json, sent->tags_json) == 0)
        return false;
    json_t *own = json_loads(kept->tags_json, 0, NULL);
    json_t *other = json_loads(sent->tags_json, 0, NULL);
    if (json_is_object(own) && json_is_object(other))
        took = merge_tags(own, other, new_end);
    if (took) {
        char *text = json_dumps(own, JSON_COMPACT);

        if (text == NULL)
            abort(); /* out of memory: it was valid a moment ago */
        kept->tags_json = ipr_arena_strndup(mem, text, strlen(text));
        free(text);
    }
    json_decref(own);
    json_decref(other);
    return took;
}

static bool take_text(const char **own, const char *other)
{
    if ((*own)[0] != '\0' || other[0] == '\0')
        return false;
    *own = other;
    return true;
}

static bool take_elo(int *own, int other)
{
    if (*own != 0 || other == 0)
        return false;
    *own = other;
    return true;
}

/* An event of no known year takes the year from its namesake. */
static bool enrich_event(struct ipr_db_new_game *kept, const struct ipr_db_new_game *sent)
{
    const bool dated =
        kept->event_year == 0 && sent->event_year != 0 && strcmp(kept->event, sent->event) == 0;

    if (sent->event_id == IPR_EVENT_NONE || (kept->event_id != IPR_EVENT_NONE && !dated))
        return false;
    kept->event_id = sent->event_id;
    kept->event_year = sent->event_year;
    return true;
}

static bool enrich_date(struct ipr_db_new_game *kept, const struct ipr_db_new_game *sent)
{
    if (!fuller_date(kept->date, sent->date))
        return false;
    kept->date = sent->date;
    kept->year = sent->year;
    return true;
}

static bool enrich_time(struct ipr_db_new_game *kept, const struct ipr_db_new_game *sent)
{
    const bool said =
        (kept->time_known == IPR_TIME_NOT_KNOWN && sent->time_known != IPR_TIME_NOT_KNOWN) ||
        (kept->time_known == IPR_TIME_INFERRED && sent->time_known == IPR_TIME_TAGGED);

    if (said) {
        kept->time_class = sent->time_class;
        kept->time_known = sent->time_known;
    }
    return said;
}

static bool enrich_result(struct ipr_db_new_game *kept, const struct ipr_db_new_game *sent)
{
    if (kept->result != IPR_RESULT_UNKNOWN || sent->result == IPR_RESULT_UNKNOWN)
        return false;
    kept->result = sent->result;
    return true;
}

static void extend(struct ipr_db_new_game *kept, const struct ipr_db_new_game *sent)
{
    kept->moves = sent->moves;
    kept->n_moves = sent->n_moves;
    kept->moves_key = sent->moves_key;
    kept->stem = sent->stem;
}

bool ipr_duplicate_enrich(struct ipr_db_new_game *kept, const struct ipr_db_new_game *sent,
                          enum ipr_duplicate kind, struct ipr_arena *mem)
{
    const bool result = enrich_result(kept, sent);
    bool took = enrich_tags(kept, sent, result || kind == IPR_DUPLICATE_EXTENDS, mem);

    took = enrich_event(kept, sent) || took; /* while its date is still its own */
    took = enrich_date(kept, sent) || took;
    took = take_text(&kept->site, sent->site) || took;
    took = take_text(&kept->round, sent->round) || took;
    took = take_elo(&kept->white_elo, sent->white_elo) || took;
    took = take_elo(&kept->black_elo, sent->black_elo) || took;
    took = enrich_time(kept, sent) || took;
    if (kept->notes.n == 0 && sent->notes.n > 0) {
        kept->notes = sent->notes;
        took = true;
    }
    if (kind == IPR_DUPLICATE_EXTENDS)
        extend(kept, sent);
    return took || result || kind == IPR_DUPLICATE_EXTENDS;
}
