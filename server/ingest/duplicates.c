#include "ingest/duplicates.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <jansson.h>

#include "core/names.h"
#include "db/events.h"
#include "ingest/row.h"
#include "pgn/notes.h"

#define NOTES_MAX ((size_t)1 << 18) /* of both records of a game; the reader's limit for one */

/* ---- date, round, result -------------------------------------------------------------------
 */

/* A PGN date; 0 for unknown parts. */
struct date {
    int part[3]; /* year, month, day */
};

/* Two digits of a number up to `max`, else 0. Dates are compared by the million. */
static int read_two(const char *p, int max)
{
    const int tens = p[0] - '0', ones = p[1] - '0';
    const bool digits = tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9;

    return digits && 10 * tens + ones <= max ? 10 * tens + ones : 0;
}

static struct date read_date(const char *text)
{
    struct date d = { { ipr_row_year(ipr_str_c(text)), 0, 0 } };

    const size_t n = strlen(text);

    if (d.part[0] == 0 || n < 7 || (d.part[1] = read_two(text + 5, 12)) == 0 || n < 10)
        return d;
    d.part[2] = read_two(text + 8, 31);
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

/* "3" is the round and "3.1" a board of it. */
static bool is_round_of(const char *a, const char *b)
{
    const size_t n = strlen(a);

    return strncmp(a, b, n) == 0 && (b[n] == '\0' || b[n] == '.');
}

static bool same_event(const struct ipr_db_new_game *a, const struct ipr_db_new_game *b)
{
    return a->event_id == b->event_id && a->event_id != IPR_EVENT_NONE;
}

static bool results_fit(enum ipr_result a, enum ipr_result b)
{
    return a == b || a == IPR_RESULT_UNKNOWN || b == IPR_RESULT_UNKNOWN;
}

bool ipr_duplicate_possible(const struct ipr_db_new_game *a, const struct ipr_db_new_game *b)
{
    const size_t common = a->n_moves < b->n_moves ? a->n_moves : b->n_moves;
    const bool same_moves = a->n_moves == b->n_moves && a->moves_key == b->moves_key;

    /* First, since it costs least. */
    if (a->round[0] != '\0' && b->round[0] != '\0' && !is_round_of(a->round, b->round) &&
        !is_round_of(b->round, a->round))
        return false;
    const struct date da = read_date(a->date), db = read_date(b->date);
    const bool day = same_day(&da, &db);
    if (!dates_fit(&da, &db))
        return false;
    if (!results_fit(a->result, b->result) && !(same_moves && day && common >= IPR_DUPLICATE_LONG))
        return false;
    /* Without moves only these data can distinguish two games between the same players. */
    if (common == 0)
        return strcmp(a->round, b->round) == 0 && same_event(a, b) && (a->round[0] != '\0' || day);
    return common >= IPR_DUPLICATE_LONG || day || same_event(a, b);
}

/* Tags that identify a game on a server: address, number, time. Those of two servers, or of a
 * server and a book, cannot be compared, so both games must have the same tag. A place is none. */
static void marks_read(const struct ipr_db_new_game *g, struct ipr_duplicate_marks *out)
{
    static const char *const names[IPR_DUPLICATE_MARKS] = { "Site",   "Link",    "GameId",
                                                            "GameID", "UTCTime", "Time" };

    if (out->tags != NULL)
        return;
    out->tags = json_loads(g->tags_json, 0, NULL);
    if (out->tags == NULL)
        out->tags = json_null(); /* not to be read again */
    for (size_t i = 0; i < IPR_DUPLICATE_MARKS; i++) {
        const char *const text = json_string_value(json_object_get(out->tags, names[i]));

        out->text[i] = text != NULL && ipr_row_known(text) ? text : NULL;
    }
    if (out->text[0] != NULL && strncmp(out->text[0], "http://", 7) != 0 &&
        strncmp(out->text[0], "https://", 8) != 0)
        out->text[0] = NULL;
}

void ipr_duplicate_marks_forget(struct ipr_duplicate_marks *marks)
{
    json_decref(marks->tags);
    *marks = (struct ipr_duplicate_marks){ 0 };
}

static bool marks_differ(const struct ipr_duplicate_marks *a, const struct ipr_duplicate_marks *b)
{
    for (size_t i = 0; i < IPR_DUPLICATE_MARKS; i++)
        if (a->text[i] != NULL && b->text[i] != NULL && strcmp(a->text[i], b->text[i]) != 0)
            return true;
    return false;
}

static bool is_fast(const struct ipr_db_new_game *g)
{
    const unsigned slow = IPR_TIME_SET_DEFAULT | IPR_TIME_BIT(IPR_TIME_CORRESPONDENCE);

    return (IPR_TIME_BIT(g->time_class) & slow) == 0;
}

/* Few moves in common prove a game only with its round: at fast time controls two players play many
 * games a day, and two games of an event may have the same opening. */
static bool place_proves(const struct ipr_db_new_game *a, const struct ipr_db_new_game *b)
{
    const struct date da = read_date(a->date), db = read_date(b->date);
    const bool round = a->round[0] != '\0' && strcmp(a->round, b->round) == 0 && same_event(a, b);

    if (is_fast(a) || is_fast(b))
        return round;
    return round || a->n_moves == b->n_moves || same_day(&da, &db);
}

/* ---- players and moves -----------------------------------------------------------
 */

static bool games_same_start(const struct ipr_db_new_game *a, const struct ipr_db_new_game *b)
{
    const char *fa = a->start_fen != NULL ? a->start_fen : "";
    const char *fb = b->start_fen != NULL ? b->start_fen : "";

    return strcmp(fa, fb) == 0;
}

static bool lacks_moves(const struct ipr_db_new_game *g)
{
    return g->moves == NULL && g->n_moves > 0;
}

/* The moves of the shorter game are a prefix of the other's. Known by their key they can only be
 * the same. */
static bool moves_begin(const struct ipr_db_new_game *a, const struct ipr_db_new_game *b)
{
    const size_t n = a->n_moves < b->n_moves ? a->n_moves : b->n_moves;

    if (lacks_moves(a) || lacks_moves(b))
        return a->n_moves == b->n_moves && a->moves_key == b->moves_key;
    return games_same_start(a, b) &&
           (n == 0 || memcmp(a->moves, b->moves, n * sizeof *a->moves) == 0);
}

static bool names_fit(const struct ipr_identity *a, const struct ipr_identity *b)
{
    return ipr_names_fit(a->key, b->key) || ipr_names_fit(a->tagged, b->tagged);
}

/* How the names of one side in two games are related. */
enum likeness { OTHER, NAMELESS, FITTING, SAME };

static enum likeness players_likeness(const struct ipr_identity *a, struct ipr_db_identity a_id,
                                      const struct ipr_identity *b, struct ipr_db_identity b_id)
{
    if (a_id.person == IPR_PLAYER_NOBODY || b_id.person == IPR_PLAYER_NOBODY)
        return NAMELESS;
    if (a_id.person != b_id.person && a->fide_id != 0 && b->fide_id != 0 &&
        a->fide_id != b->fide_id && strcmp(a->tagged, b->tagged) != 0)
        return OTHER; /* the same name with another id is reported as a conflict */
    if (a_id.person == b_id.person || strcmp(a->key, b->key) == 0 ||
        strcmp(a->tagged, b->tagged) == 0)
        return SAME;
    return names_fit(a, b) ? FITTING : OTHER;
}

static bool names_nobody(const struct ipr_db_new_game *g)
{
    return g->white_id.person == IPR_PLAYER_NOBODY && g->black_id.person == IPR_PLAYER_NOBODY;
}

/* The same moves, but not the same persons; ipr_duplicate_possible holds. */
static bool other_names(const struct ipr_db_new_game *a, const struct ipr_db_new_game *b)
{
    const struct date da = read_date(a->date), db = read_date(b->date);
    const enum likeness w = players_likeness(&a->white, a->white_id, &b->white, b->white_id);
    const enum likeness l = players_likeness(&a->black, a->black_id, &b->black, b->black_id);

    if (w == OTHER || l == OTHER)
        return false;
    if (a->n_moves < IPR_DUPLICATE_LONG && (w != SAME || l != SAME))
        return false;
    if ((w == FITTING || l == FITTING) && a->result != b->result)
        return false;
    if (w != NAMELESS && l != NAMELESS)
        return true;
    if (w == NAMELESS && l == NAMELESS)
        return (names_nobody(a) || names_nobody(b)) && same_day(&da, &db) && same_event(a, b);
    return same_day(&da, &db);
}

/* As ipr_duplicate_of, without regard to the marks. */
static enum ipr_duplicate unmarked_duplicate(const struct ipr_db_new_game *sent,
                                             const struct ipr_db_new_game *kept)
{
    const bool persons = sent->white_id.person == kept->white_id.person &&
                         sent->black_id.person == kept->black_id.person;
    const size_t common = sent->n_moves < kept->n_moves ? sent->n_moves : kept->n_moves;

    if ((!persons && sent->moves_key != kept->moves_key) || !ipr_duplicate_possible(sent, kept) ||
        !moves_begin(sent, kept))
        return IPR_DUPLICATE_NONE;
    if (common > 0 && common < IPR_DUPLICATE_LONG && !place_proves(sent, kept))
        return IPR_DUPLICATE_NONE;
    if (sent->n_moves == kept->n_moves) {
        if (persons)
            return IPR_DUPLICATE_IDENTICAL;
        return other_names(sent, kept) ? IPR_DUPLICATE_SPELLING : IPR_DUPLICATE_NONE;
    }
    if (!persons || sent->white_id.person == IPR_PLAYER_NOBODY ||
        sent->black_id.person == IPR_PLAYER_NOBODY)
        return IPR_DUPLICATE_NONE;
    return sent->n_moves < kept->n_moves ? IPR_DUPLICATE_CONTAINED : IPR_DUPLICATE_EXTENDS;
}

enum ipr_duplicate ipr_duplicate_of(const struct ipr_db_new_game *sent,
                                    struct ipr_duplicate_marks *sent_marks,
                                    const struct ipr_db_new_game *kept,
                                    struct ipr_duplicate_marks *kept_marks)
{
    const enum ipr_duplicate kind = unmarked_duplicate(sent, kept);

    if (kind == IPR_DUPLICATE_NONE || strcmp(sent->tags_json, kept->tags_json) == 0)
        return kind;
    marks_read(sent, sent_marks);
    marks_read(kept, kept_marks);
    return marks_differ(sent_marks, kept_marks) ? IPR_DUPLICATE_NONE : kind;
}

/* ---- identities -------------------------------------------------------------------------------
 */

/* A side of the kept game stays, moves to the identity sent, or contradicts it. */
enum verdict { STAYS, MOVES, CLASHES };

/* One side of both games. */
struct side {
    const char *colour; /* prefix of its tags */
    struct ipr_identity *who;
    struct ipr_db_identity *id;
    const struct ipr_identity *sent;
    const struct ipr_db_identity *sent_id;
    enum verdict verdict;
    bool named; /* it was unknown before */
};

static bool is_declared_distinct(const struct ipr_db_distinct_pairs *distinct, int32_t a, int32_t b)
{
    for (size_t i = 0; i < distinct->n; i++) {
        const struct ipr_db_pair *p = &distinct->pair[i];

        if ((p->a == a && p->b == b) || (p->a == b && p->b == a))
            return true;
    }
    return false;
}

static const char *known_key(const struct ipr_identity *who, const struct ipr_db_identity *id)
{
    return id->known != NULL ? id->known : who->key;
}

/* The kept game's side has no FIDE id, the one sent has one. */
static enum verdict judge_id(const struct side *s, const struct ipr_db_distinct_pairs *distinct)
{
    if (s->id->decided || is_declared_distinct(distinct, s->id->person, s->sent_id->person))
        return CLASHES;
    if (s->id->person == s->sent_id->person)
        return MOVES;
    return names_fit(s->sent, s->who) && ipr_names_fit(known_key(s->sent, s->sent_id), s->who->key)
               ? MOVES
               : CLASHES;
}

static enum verdict judge_side(const struct side *s, const struct ipr_db_distinct_pairs *distinct)
{
    if (s->who->fide_id != 0 && s->sent->fide_id != 0 && s->who->fide_id != s->sent->fide_id)
        return CLASHES;
    if (s->id->id == s->sent_id->id || s->sent_id->id == IPR_PLAYER_NOBODY)
        return STAYS;
    if (s->id->id == IPR_PLAYER_NOBODY)
        return MOVES;
    if (s->sent->fide_id != 0)
        return judge_id(s, distinct);
    if (s->who->fide_id != 0 && s->id->person != s->sent_id->person &&
        !ipr_names_fit(known_key(s->who, s->id), s->sent->key))
        return CLASHES;
    return STAYS;
}

/* If there was a name its tag is kept, and with it the key as tagged. */
static bool move_side(struct side *s)
{
    const struct ipr_identity had = *s->who;
    const struct ipr_db_identity before = *s->id;

    if (s->verdict != MOVES)
        return false;
    *s->who = *s->sent;
    if (!s->named) {
        s->who->tagged = had.tagged;
        s->who->tagged_name = had.tagged_name;
    }
    *s->id = *s->sent_id;
    s->id->was = before.was;
    s->id->was_person = before.was_person;
    return true;
}

/* ---- tags ----------------------------------------------------------------------
 */

static bool fuller_date(const char *own, const char *other)
{
    const struct date a = read_date(own), b = read_date(other);

    return dates_fit(&a, &b) && known_parts(&b) > known_parts(&a);
}

static bool name_better(const char *name, const char *own, const char *other, bool new_end)
{
    /* These describe the moves; the kept game has its own. */
    if (strcmp(name, "FEN") == 0 || strcmp(name, "SetUp") == 0)
        return false;
    /* Tags of the end belong to the moves. */
    if (strcmp(name, "Result") == 0 || strcmp(name, "PlyCount") == 0)
        return new_end;
    if (own == NULL || !ipr_row_known(own))
        return true;
    return strcmp(name, "Date") == 0 && fuller_date(own, other);
}

/* The same for tags of a side. A FIDE id belongs to its identity, and goes with one that was set
 * aside. */
static bool better_of_side(const struct side *s, const char *name, const char *own)
{
    const char *what = name + strlen(s->colour);

    if (s->verdict == CLASHES)
        return false;
    if (what[0] == '\0')
        return s->named;
    if (strcasecmp(what, "FideId") == 0 && s->sent->fide_id == 0)
        return false;
    if (strcasecmp(what, "FideId") == 0 && s->sent->fide_id != s->who->fide_id)
        return s->verdict == MOVES;
    return own == NULL || !ipr_row_known(own);
}

static const struct side *side_of(const struct side side[2], const char *name)
{
    for (int i = 0; i < 2; i++)
        if (strncasecmp(name, side[i].colour, strlen(side[i].colour)) == 0)
            return &side[i];
    return NULL;
}

static bool merge_tags(json_t *own, json_t *other, const struct side side[2], bool new_end)
{
    const char *name;
    json_t *value;
    bool took = false;

    json_object_foreach(other, name, value) {
        const char *text = json_string_value(value);
        const char *had = json_string_value(json_object_get(own, name));
        const struct side *s = side_of(side, name);

        if (text == NULL || !ipr_row_known(text) || (had != NULL && strcmp(had, text) == 0))
            continue;
        if (s != NULL ? better_of_side(s, name, had) : name_better(name, had, text, new_end)) {
            json_object_set(own, name, value);
            took = true;
        }
    }
    return took;
}

static bool enrich_tags(struct ipr_db_new_game *kept, const struct ipr_db_new_game *sent,
                        const struct side side[2], bool new_end, struct ipr_arena *mem)
{
    bool took = false;

    if (strcmp(kept->tags_json, sent->tags_json) == 0)
        return false;
    json_t *own = json_loads(kept->tags_json, 0, NULL);
    json_t *other = json_loads(sent->tags_json, 0, NULL);
    if (json_is_object(own) && json_is_object(other))
        took = merge_tags(own, other, side, new_end);
    if (took) {
        char *text = json_dumps(own, JSON_COMPACT);

        if (text == NULL)
            abort(); /* out of memory: the text is valid */
        kept->tags_json = ipr_arena_strndup(mem, text, strlen(text));
        free(text);
    }
    json_decref(own);
    json_decref(other);
    return took;
}

static bool text_take(const char **own, const char *other)
{
    if ((*own)[0] != '\0' || other[0] == '\0')
        return false;
    *own = other;
    return true;
}

static bool take_elo(int *own, int other, const struct side *s)
{
    if (*own != 0 || other == 0 || s->verdict == CLASHES)
        return false;
    *own = other;
    return true;
}

/* An event without a year takes the one of the event with the same name. */
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

/* Merges comments and clocks of both records; beyond the limit those of `kept` are unchanged. */
static bool enrich_notes(struct ipr_db_new_game *kept, const struct ipr_db_new_game *sent,
                         struct ipr_arena *mem)
{
    struct ipr_arena scratch = IPR_ARENA_INIT;
    struct ipr_pgn_note *own = NULL, *other = NULL;
    struct ipr_buf packed = IPR_BUF_INIT;
    size_t n_own = 0, n_other = 0;
    bool took = false;

    if (sent->notes.n > 0 && !ipr_str_eq(kept->notes, sent->notes) &&
        ipr_notes_unpack(kept->notes, &scratch, &own, &n_own, NULL) == IPR_OK &&
        ipr_notes_unpack(sent->notes, &scratch, &other, &n_other, NULL) == IPR_OK) {
        struct ipr_pgn_note *all = ipr_arena_alloc(&scratch, n_own + n_other, sizeof *all);
        const size_t n = ipr_notes_merge(own, n_own, other, n_other, all);

        took = n > n_own && n <= NOTES_MAX;
        if (took)
            ipr_notes_pack(all, n, &packed);
    }
    if (took)
        kept->notes = (struct ipr_str){ ipr_arena_strndup(mem, packed.p, packed.n), packed.n };
    ipr_buf_release(&packed);
    ipr_arena_release(&scratch);
    return took;
}

/* ---- differences ---------------------------------------------------------------------------
 */

static bool numbers_differ(int a, int b)
{
    return a != 0 && b != 0 && a != b;
}

/* ---- the whole --------------------------------------------------------------------------------
 */

bool ipr_duplicate_enrich(struct ipr_db_new_game *kept, const struct ipr_db_new_game *sent,
                          enum ipr_duplicate kind, const struct ipr_db_distinct_pairs *distinct,
                          struct ipr_arena *mem, unsigned *conflicts)
{
    struct side side[2] = {
        { "White", &kept->white, &kept->white_id, &sent->white, &sent->white_id, STAYS, false },
        { "Black", &kept->black, &kept->black_id, &sent->black, &sent->black_id, STAYS, false },
    };

    int32_t then[2];
    for (int i = 0; i < 2; i++) {
        side[i].verdict = judge_side(&side[i], distinct);
        side[i].named = side[i].verdict == MOVES && side[i].id->id == IPR_PLAYER_NOBODY;
        then[i] = side[i].verdict == MOVES ? side[i].sent_id->id : side[i].id->id;
    }
    /* No person is on both sides. */
    for (int i = 0; i < 2; i++)
        if (side[i].verdict == MOVES && then[0] == then[1])
            side[i].verdict = CLASHES;
    *conflicts = (results_fit(kept->result, sent->result) ? 0u : IPR_CONFLICT_RESULT) |
                 (side[0].verdict == CLASHES ? IPR_CONFLICT_WHITE_FIDE_ID : 0u) |
                 (side[1].verdict == CLASHES ? IPR_CONFLICT_BLACK_FIDE_ID : 0u) |
                 (numbers_differ(kept->white_elo, sent->white_elo) ? IPR_CONFLICT_WHITE_ELO : 0u) |
                 (numbers_differ(kept->black_elo, sent->black_elo) ? IPR_CONFLICT_BLACK_ELO : 0u);
    const bool result = enrich_result(kept, sent);
    bool took = enrich_tags(kept, sent, side, result || kind == IPR_DUPLICATE_EXTENDS, mem);

    for (int i = 0; i < 2; i++)
        took = move_side(&side[i]) || took;
    took = enrich_event(kept, sent) || took; /* before its date is replaced */
    took = enrich_date(kept, sent) || took;
    took = text_take(&kept->site, sent->site) || took;
    took = text_take(&kept->round, sent->round) || took;
    took = take_elo(&kept->white_elo, sent->white_elo, &side[0]) || took;
    took = take_elo(&kept->black_elo, sent->black_elo, &side[1]) || took;
    took = enrich_time(kept, sent) || took;
    took = enrich_notes(kept, sent, mem) || took;
    const bool more = kind == IPR_DUPLICATE_EXTENDS || (lacks_moves(kept) && !lacks_moves(sent));
    if (more) {
        kept->moves = sent->moves;
        kept->n_moves = sent->n_moves;
        kept->moves_key = sent->moves_key;
        kept->stem = sent->stem;
    }
    return took || result || more;
}
