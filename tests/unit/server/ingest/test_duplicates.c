#include "ingest/duplicates.h"

#include <stdlib.h>
#include <string.h>

#include "core/digest.h"
#include "db/events.h"
#include "ipr_test.h"
#include "pgn/notes.h"

#define LONG_PLIES 60

/* A game of made-up moves: the first `n` of one sequence, or of another. */
struct side {
    const char *date, *round;
    enum ipr_result result;
    int32_t event, white;
    const char *white_key;
    size_t n;
    bool other_moves;
};

static const ipr_move *moves_of(bool other)
{
    static ipr_move moves[2][LONG_PLIES];

    for (size_t i = 0; i < LONG_PLIES; i++) {
        moves[0][i] = (ipr_move)(i + 1);
        moves[1][i] = (ipr_move)(i == 15 ? 999 : i + 1);
    }
    return moves[other];
}

static struct ipr_db_new_game game_of(const struct side *s)
{
    const ipr_move *moves = moves_of(s->other_moves);

    return (struct ipr_db_new_game){
        .white = { .name = s->white_key, .key = s->white_key, .tagged = s->white_key },
        .black = { .name = "tal,mikhail", .key = "tal,mikhail", .tagged = "tal,mikhail" },
        .white_id = { .id = s->white, .person = s->white },
        .black_id = { .id = 9, .person = 9 },
        .date = s->date,
        .round = s->round,
        .site = "",
        .event = s->event != 0 ? "x" : "",
        .event_id = s->event,
        .result = s->result,
        .moves = moves,
        .n_moves = s->n,
        .moves_key = ipr_moves_key("", moves, s->n),
        .stem = ipr_moves_stem("", moves, s->n),
        .tags_json = "{}",
    };
}

#define W   IPR_WHITE_WINS
#define B   IPR_BLACK_WINS
#define NO  IPR_RESULT_UNKNOWN
#define KEY "fischer,robert j"

static struct row {
    const char *name;
    struct side sent, kept;
    enum ipr_duplicate kind;
} rows[] = {
    { "the same in all",
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_IDENTICAL },
    { "less is known of one",
      { "1972", "", NO, 0, 1, KEY, 40, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_IDENTICAL },
    { "nothing but moves and names",
      { "", "", NO, 0, 1, KEY, 40, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_IDENTICAL },
    { "another day",
      { "1972.07.12", "1", W, 1, 1, KEY, 40, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "another month, day unknown",
      { "1972.09", "1", W, 1, 1, KEY, 40, false },
      { "1972.08.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "the same month, day unknown",
      { "1972.08", "1", W, 1, 1, KEY, 40, false },
      { "1972.08.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_IDENTICAL },
    { "another year",
      { "1973", "1", W, 1, 1, KEY, 40, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "a board of the round",
      { "", "3", W, 1, 1, KEY, 40, false },
      { "", "3.1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_IDENTICAL },
    { "another round",
      { "", "3", W, 1, 1, KEY, 40, false },
      { "", "31", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "another result on the same day",
      { "1972.07.11", "1", B, 1, 1, KEY, 40, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_IDENTICAL },
    { "another result, day unknown",
      { "1972", "1", B, 1, 1, KEY, 40, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "other moves",
      { "1972.07.11", "1", W, 1, 1, KEY, 40, true },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "the beginning",
      { "1972.07.11", "1", NO, 2, 1, KEY, 24, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_CONTAINED },
    { "goes on",
      { "1972.07.11", "1", W, 2, 1, KEY, 60, false },
      { "", "", NO, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_EXTENDS },
    { "goes on and ends otherwise",
      { "1972.07.11", "1", W, 2, 1, KEY, 60, false },
      { "1972.07.11", "1", B, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "the beginning of a game of another person",
      { "1972.07.11", "1", W, 1, 2, "fischer,r", 24, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "a short beginning, nothing else in common",
      { "1972", "", NO, 2, 1, KEY, 10, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "a short beginning on the same day",
      { "1972.07.11", "", NO, 2, 1, KEY, 10, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_CONTAINED },
    { "a short beginning of the same event",
      { "", "", NO, 1, 1, KEY, 10, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "a short beginning of the same round",
      { "", "1", NO, 1, 1, KEY, 10, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_CONTAINED },
    { "a short game of the same event",
      { "", "", IPR_DRAW, 1, 1, KEY, 16, false },
      { "1972.07.11", "1", IPR_DRAW, 1, 1, KEY, 16, false },
      IPR_DUPLICATE_IDENTICAL },
    { "a short game with another result on the same day",
      { "1972.07.11", "", B, 1, 1, KEY, 16, false },
      { "1972.07.11", "", W, 1, 1, KEY, 16, false },
      IPR_DUPLICATE_NONE },
    { "a short game played twice in a year",
      { "1972", "", IPR_DRAW, 1, 1, KEY, 16, false },
      { "1972.07.11", "1", IPR_DRAW, 2, 1, KEY, 16, false },
      IPR_DUPLICATE_NONE },
    { "no moves, the round says which",
      { "", "4", W, 1, 1, KEY, 0, false },
      { "1972.07.11", "4", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_CONTAINED },
    { "no moves, no round, the same day",
      { "1972.07.11", "", W, 1, 1, KEY, 0, false },
      { "1972.07.11", "", W, 1, 1, KEY, 0, false },
      IPR_DUPLICATE_IDENTICAL },
    { "no moves, nothing that says which",
      { "1972", "", W, 1, 1, KEY, 0, false },
      { "1972", "", W, 1, 1, KEY, 0, false },
      IPR_DUPLICATE_NONE },
    { "no moves, another result",
      { "1972.07.11", "4", B, 1, 1, KEY, 0, false },
      { "1972.07.11", "4", W, 1, 1, KEY, 0, false },
      IPR_DUPLICATE_NONE },
    { "initials",
      { "1972.07.11", "1", W, 2, 2, "fischer,r", 40, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_SPELLING },
    { "initials and another result",
      { "1972.07.11", "1", NO, 2, 2, "fischer,r", 40, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "initials in a short game",
      { "1972.07.11", "1", W, 1, 2, "fischer,r", 18, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 18, false },
      IPR_DUPLICATE_NONE },
    { "somebody else",
      { "1972.07.11", "1", W, 1, 2, "fine,reuben", 40, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "nobody, identical", /* model games */
      { "", "", NO, 1, 0, "", 40, false },
      { "", "", NO, 1, 0, "", 40, false },
      IPR_DUPLICATE_IDENTICAL },
    { "nobody, the beginning",
      { "", "", NO, 1, 0, "", 40, false },
      { "", "", NO, 1, 0, "", 50, false },
      IPR_DUPLICATE_NONE },
    { "nobody and somebody on one day",
      { "1972.07.11", "", NO, 0, 0, "", 40, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_SPELLING },
    { "nobody and somebody on one day, a short game",
      { "1972.07.11", "", NO, 0, 0, "", 18, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 18, false },
      IPR_DUPLICATE_NONE },
    { "nobody and somebody in one month",
      { "1972.07", "", NO, 0, 0, "", 40, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "one name of two identities",
      { "1972", "", NO, 0, 2, KEY, 40, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_SPELLING },
    { "nobody and somebody",
      { "", "", NO, 1, 0, "", 40, false },
      { "", "", NO, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
};

/* What servers say of a game, and how fast it was. */
static struct mark {
    const char *name, *sent, *kept; /* tags */
    size_t n_moves;                 /* of the longer one; the other has as many, or two fewer */
    bool longer;
    enum ipr_time_class time;
    const char *round; /* of both */
    enum ipr_duplicate kind;
} marks[] = {
    { "one address", "{\"Site\":\"https://lichess.org/a\",\"A\":\"1\"}",
      "{\"Site\":\"https://lichess.org/a\"}", 40, false, IPR_TIME_BLITZ, "",
      IPR_DUPLICATE_IDENTICAL },
    { "two addresses", "{\"Site\":\"https://lichess.org/a\"}",
      "{\"Site\":\"https://lichess.org/b\"}", 40, false, IPR_TIME_UNKNOWN, "", IPR_DUPLICATE_NONE },
    { "an address and a town", "{\"Site\":\"https://lichess.org/a\"}", "{\"Site\":\"Reykjavik\"}",
      40, false, IPR_TIME_UNKNOWN, "", IPR_DUPLICATE_IDENTICAL },
    { "two towns", "{\"Site\":\"Reykjavik ISL\"}", "{\"Site\":\"Reykjavik\"}", 40, false,
      IPR_TIME_UNKNOWN, "", IPR_DUPLICATE_IDENTICAL },
    { "two moments", "{\"UTCTime\":\"10:00:00\"}", "{\"UTCTime\":\"10:09:00\"}", 40, false,
      IPR_TIME_BLITZ, "", IPR_DUPLICATE_NONE },
    { "a moment and none", "{\"UTCTime\":\"10:00:00\"}", "{\"UTCTime\":\"?\"}", 40, false,
      IPR_TIME_BLITZ, "", IPR_DUPLICATE_IDENTICAL },
    { "two numbers", "{\"GameId\":\"x\"}", "{\"GameId\":\"y\"}", 40, true, IPR_TIME_BLITZ, "",
      IPR_DUPLICATE_NONE },
    { "short and slow", "{}", "{}", 16, false, IPR_TIME_CLASSICAL, "", IPR_DUPLICATE_IDENTICAL },
    { "short and fast", "{}", "{}", 16, false, IPR_TIME_BLITZ, "", IPR_DUPLICATE_NONE },
    { "short and fast, of one round", "{}", "{}", 16, false, IPR_TIME_BLITZ, "3",
      IPR_DUPLICATE_IDENTICAL },
    { "a short beginning, fast", "{}", "{}", 16, true, IPR_TIME_RAPID, "", IPR_DUPLICATE_NONE },
};

static enum ipr_duplicate kind_of(const struct ipr_db_new_game *sent,
                                  const struct ipr_db_new_game *kept)
{
    struct ipr_duplicate_marks of_sent = { 0 }, of_kept = { 0 };
    const enum ipr_duplicate kind = ipr_duplicate_of(sent, &of_sent, kept, &of_kept);

    ipr_duplicate_marks_forget(&of_sent);
    ipr_duplicate_marks_forget(&of_kept);
    return kind;
}

static void test_mark(void **state)
{
    const struct mark *m = *state;
    const struct side side = { "2020.01.02", m->round, W, 1, 1, KEY, m->n_moves, false };
    struct ipr_db_new_game sent = game_of(&side), kept = game_of(&side);

    kept.n_moves -= m->longer ? 2 : 0;
    sent.time_class = m->time;
    sent.tags_json = m->sent;
    kept.tags_json = m->kept;
    assert_int_equal(kind_of(&sent, &kept), m->kind);
    assert_int_equal(kind_of(&kept, &sent) == IPR_DUPLICATE_NONE, m->kind == IPR_DUPLICATE_NONE);
}

static void test_kind(void **state)
{
    const struct row *r = *state;
    const struct ipr_db_new_game sent = game_of(&r->sent), kept = game_of(&r->kept);

    assert_int_equal(kind_of(&sent, &kept), r->kind);
    /* Either way round; a beginning is the other's extension. */
    const enum ipr_duplicate back = r->kind == IPR_DUPLICATE_CONTAINED ? IPR_DUPLICATE_EXTENDS
                                    : r->kind == IPR_DUPLICATE_EXTENDS ? IPR_DUPLICATE_CONTAINED
                                                                       : r->kind;
    assert_int_equal(kind_of(&kept, &sent), back);
}

static void test_other_start(void **state)
{
    const struct side s = { "1972.07.11", "1", W, 1, 1, KEY, 40, false };
    struct ipr_db_new_game sent = game_of(&s), kept = game_of(&s);

    (void)state;
    sent.start_fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    sent.moves_key = ipr_moves_key(sent.start_fen, sent.moves, sent.n_moves);
    assert_int_equal(kind_of(&sent, &kept), IPR_DUPLICATE_NONE);
}

/* Without any name the event must be known too. */
static void test_nameless(void **state)
{
    const struct side side = { "1972.07.11", "", W, 1, 1, KEY, 40, false };
    struct ipr_db_new_game sent = game_of(&side), kept = game_of(&side);

    (void)state;
    sent.white = sent.black = (struct ipr_identity){ .name = "?", .key = "", .tagged = "" };
    sent.white_id = sent.black_id = (struct ipr_db_identity){ .id = IPR_PLAYER_NOBODY };
    assert_int_equal(kind_of(&sent, &kept), IPR_DUPLICATE_SPELLING);
    assert_int_equal(kind_of(&kept, &sent), IPR_DUPLICATE_SPELLING);
    sent.event_id = IPR_EVENT_NONE;
    assert_int_equal(kind_of(&sent, &kept), IPR_DUPLICATE_NONE);
    /* White of the one and Black of the other say nothing about each other. */
    sent.event_id = kept.event_id;
    sent.white = kept.white;
    sent.white_id = kept.white_id;
    kept.white = sent.black;
    kept.white_id = sent.black_id;
    assert_int_equal(kind_of(&sent, &kept), IPR_DUPLICATE_NONE);
}

/* ---- the richer tags win ----------------------------------------------------------------------
 */

/* Nobody said that two persons are two. */
static const struct ipr_db_distinct_pairs nobody_said = { NULL, 0 };

static void test_enrich(void **state)
{
    const struct side poor = { "1972", "", NO, 0, 1, KEY, 40, false };
    const struct side rich = { "1972.07.11", "1", W, 7, 1, KEY, 40, false };
    struct ipr_db_new_game kept = game_of(&poor), sent = game_of(&rich);
    struct ipr_arena mem = IPR_ARENA_INIT;
    unsigned conflicts = 99;

    (void)state;
    kept.year = sent.year = 1972;
    kept.tags_json =
        "{\"White\":\"Fischer, R\",\"Date\":\"1972.??.??\",\"Site\":\"?\",\"Result\":\"*\","
        "\"ECO\":\"B77\"}";
    sent.tags_json =
        "{\"White\":\"Fischer, Robert J\",\"Date\":\"1972.07.11\",\"Site\":\"Rejkjavik\","
        "\"Result\":\"1-0\",\"ECO\":\"C95\",\"Opening\":\"Ruy Lopez\",\"Annotator\":\"?\"}";
    sent.site = "Rejkjavik";
    sent.white_elo = 2785;
    sent.event_year = 1972;
    sent.time_class = IPR_TIME_CLASSICAL;
    sent.time_known = IPR_TIME_INFERRED;
    const struct ipr_pgn_note glyph = { .ply = 3, .kind = IPR_NOTE_NAG, .nag = 1 };
    struct ipr_buf packed = IPR_BUF_INIT;
    ipr_notes_pack(&glyph, 1, &packed);
    sent.notes = (struct ipr_str){ packed.p, packed.n };
    assert_true(ipr_duplicate_enrich(&kept, &sent, IPR_DUPLICATE_IDENTICAL, &nobody_said, &mem,
                                     &conflicts));
    assert_string_equal(kept.tags_json,
                        "{\"White\":\"Fischer, R\",\"Date\":\"1972.07.11\",\"Site\":\"Rejkjavik\","
                        "\"Result\":\"1-0\",\"ECO\":\"B77\",\"Opening\":\"Ruy Lopez\"}");
    assert_int_equal(conflicts, 0);
    assert_string_equal(kept.date, "1972.07.11");
    assert_string_equal(kept.round, "1");
    assert_string_equal(kept.site, "Rejkjavik");
    assert_int_equal(kept.result, IPR_WHITE_WINS);
    assert_int_equal(kept.event_id, 7);
    assert_int_equal(kept.white_elo, 2785);
    assert_int_equal(kept.time_class, IPR_TIME_CLASSICAL);
    assert_true(ipr_str_eq(kept.notes, sent.notes));
    /* It has everything now. */
    assert_false(ipr_duplicate_enrich(&kept, &sent, IPR_DUPLICATE_IDENTICAL, &nobody_said, &mem,
                                      &conflicts));
    ipr_buf_release(&packed);
    ipr_arena_release(&mem);
}

/* What is known stays: nothing is overwritten by what is merely different, or poorer. */
static void test_keep(void **state)
{
    const struct side side = { "1972.07.11", "1", W, 7, 1, KEY, 40, false };
    const struct side poor = { "1972", "1.2", B, 8, 1, KEY, 40, false };
    struct ipr_db_new_game kept = game_of(&side), sent = game_of(&poor);
    struct ipr_arena mem = IPR_ARENA_INIT;
    unsigned conflicts = 99;

    (void)state;
    kept.site = "Rejkjavik";
    kept.time_class = IPR_TIME_CLASSICAL;
    kept.time_known = IPR_TIME_TAGGED;
    kept.tags_json = "{\"Site\":\"Rejkjavik\",\"Result\":\"1-0\",\"Date\":\"1972.07.11\"}";
    kept.white_elo = 2785;
    sent.white_elo = 2780;
    sent.black_elo = kept.black_elo = 2705;
    sent.site = "Iceland";
    sent.time_class = IPR_TIME_BLITZ;
    sent.time_known = IPR_TIME_INFERRED;
    sent.tags_json = "{\"Site\":\"Iceland\",\"Result\":\"0-1\",\"Date\":\"1972.??.??\"}";
    const struct ipr_db_new_game before = kept;
    assert_false(ipr_duplicate_enrich(&kept, &sent, IPR_DUPLICATE_IDENTICAL, &nobody_said, &mem,
                                      &conflicts));
    assert_memory_equal(&kept, &before, sizeof kept);
    assert_int_equal(conflicts, IPR_CONFLICT_RESULT | IPR_CONFLICT_WHITE_ELO);
    ipr_arena_release(&mem);
}

static void test_extend(void **state)
{
    const struct side side = { "", "", NO, 0, 1, KEY, 40, false };
    const struct side more = { "", "", W, 0, 1, KEY, 60, false };
    struct ipr_db_new_game kept = game_of(&side), sent = game_of(&more);
    struct ipr_arena mem = IPR_ARENA_INIT;
    unsigned conflicts = 99;

    (void)state;
    kept.tags_json = "{\"Result\":\"*\",\"PlyCount\":\"40\"}";
    sent.tags_json = "{\"Result\":\"1-0\",\"PlyCount\":\"60\"}";
    assert_true(
        ipr_duplicate_enrich(&kept, &sent, IPR_DUPLICATE_EXTENDS, &nobody_said, &mem, &conflicts));
    assert_int_equal(kept.n_moves, 60);
    assert_true(kept.moves_key == sent.moves_key);
    assert_int_equal(kept.result, IPR_WHITE_WINS);
    assert_string_equal(kept.tags_json, "{\"Result\":\"1-0\",\"PlyCount\":\"60\"}");
    ipr_arena_release(&mem);
}

/* ---- who played -------------------------------------------------------------------------------
 */

/* Side White of the kept game and of the one sent, which is another identity. */
static struct who {
    const char *name;
    int32_t kept_fide;
    const char *kept_key;
    bool decided, distinct;
    int32_t sent_fide;
    const char *sent_key, *known;
    bool moves;
    unsigned conflicts;
    const char *tags;
} whos[] = {
    { "an id, the same name", 0, KEY, false, false, 7, KEY, KEY, true, 0,
      "{\"White\":\"k\",\"WhiteFideId\":\"7\",\"WhiteTitle\":\"GM\"}" },
    { "an id, names that fit", 0, "fischer,r", false, false, 7, KEY, "fischer,robert", true, 0,
      "{\"White\":\"k\",\"WhiteFideId\":\"7\",\"WhiteTitle\":\"GM\"}" },
    { "an id of somebody else", 0, KEY, false, false, 7, KEY, "carlsen,magnus", false,
      IPR_CONFLICT_WHITE_FIDE_ID, "{\"White\":\"k\"}" },
    { "an id whose name fits the one sent alone", 0, "karpov,anatoly", false, false, 7, "karpov,a",
      "karpov,alexander", false, IPR_CONFLICT_WHITE_FIDE_ID, "{\"White\":\"k\"}" },
    { "another id", 6, KEY, false, false, 7, KEY, KEY, false, IPR_CONFLICT_WHITE_FIDE_ID,
      "{\"White\":\"k\"}" },
    { "no id", 6, KEY, false, false, 0, KEY, NULL, false, 0,
      "{\"White\":\"k\",\"WhiteTitle\":\"GM\"}" },
    { "no id, and the one kept is somebody else's", 6, "carlsen,magnus", false, false, 0, KEY, NULL,
      false, IPR_CONFLICT_WHITE_FIDE_ID, "{\"White\":\"k\"}" },
    { "a side that a person moved", 0, KEY, true, false, 7, KEY, KEY, false,
      IPR_CONFLICT_WHITE_FIDE_ID, "{\"White\":\"k\"}" },
    { "declared two persons", 0, KEY, false, true, 7, KEY, KEY, false, IPR_CONFLICT_WHITE_FIDE_ID,
      "{\"White\":\"k\"}" },
    { "was nobody", 0, "", false, false, 7, KEY, "carlsen,magnus", true, 0,
      "{\"White\":\"s\",\"WhiteFideId\":\"7\",\"WhiteTitle\":\"GM\"}" },
    { "would play himself", 0, "tal,m", false, false, 9, "tal,m", "tal,mikhail", false,
      IPR_CONFLICT_WHITE_FIDE_ID, "{\"White\":\"k\"}" },
};

static void test_who(void **state)
{
    static struct ipr_db_pair two = { 2, 1 };
    const struct who *w = *state;
    const struct side side = { "1972.07.11", "1", W, 1, 1, "", 40, false };
    const struct ipr_db_distinct_pairs distinct = { &two, w->distinct ? 1 : 0 };
    struct ipr_db_new_game kept = game_of(&side), sent = game_of(&side);
    struct ipr_arena mem = IPR_ARENA_INIT;
    unsigned conflicts = 99;

    kept.white = (struct ipr_identity){
        .name = "k", .key = w->kept_key, .tagged = w->kept_key, .fide_id = w->kept_fide
    };
    kept.white_id.id = kept.white_id.person = w->kept_key[0] != '\0' ? 1 : IPR_PLAYER_NOBODY;
    kept.white_id.decided = w->decided;
    kept.tags_json = w->kept_key[0] != '\0' ? "{\"White\":\"k\"}" : "{\"White\":\"?\"}";
    sent.white = (struct ipr_identity){
        .name = "s", .key = w->sent_key, .tagged = w->sent_key, .fide_id = w->sent_fide
    };
    sent.white_id.id = sent.white_id.person = w->sent_fide == 9 ? 9 : 2;
    sent.white_id.known = w->known;
    sent.tags_json = w->sent_fide != 0
                         ? "{\"White\":\"s\",\"WhiteFideId\":\"7\",\"WhiteTitle\":\"GM\"}"
                         : "{\"White\":\"s\",\"WhiteTitle\":\"GM\"}";
    const int32_t before = kept.white_id.id;
    const bool took =
        ipr_duplicate_enrich(&kept, &sent, IPR_DUPLICATE_SPELLING, &distinct, &mem, &conflicts);
    assert_int_equal(kept.white_id.id, w->moves ? sent.white_id.id : before);
    assert_int_equal(conflicts, w->conflicts);
    assert_string_equal(kept.tags_json, w->tags);
    assert_int_equal(took, w->conflicts == 0);
    ipr_arena_release(&mem);
}

int main(void)
{
    enum {
        N = sizeof rows / sizeof rows[0],
        WHOS = sizeof whos / sizeof whos[0],
        MARKS = sizeof marks / sizeof marks[0]
    };
    struct CMUnitTest kinds[N] = { 0 }, players[WHOS] = { 0 }, apart[MARKS] = { 0 };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_start), cmocka_unit_test(test_nameless),
        cmocka_unit_test(test_enrich),      cmocka_unit_test(test_keep),
        cmocka_unit_test(test_extend),
    };

    for (size_t i = 0; i < N; i++) {
        kinds[i].name = rows[i].name;
        kinds[i].test_func = test_kind;
        kinds[i].initial_state = &rows[i];
    }
    for (size_t i = 0; i < WHOS; i++) {
        players[i].name = whos[i].name;
        players[i].test_func = test_who;
        players[i].initial_state = &whos[i];
    }
    for (size_t i = 0; i < MARKS; i++) {
        apart[i].name = marks[i].name;
        apart[i].test_func = test_mark;
        apart[i].initial_state = &marks[i];
    }
    int failed = cmocka_run_group_tests_name("kinds of duplicates", kinds, NULL, NULL);
    failed += cmocka_run_group_tests_name("marks of servers", apart, NULL, NULL);
    failed += cmocka_run_group_tests_name("enriching", tests, NULL, NULL);
    failed += cmocka_run_group_tests_name("who played", players, NULL, NULL);
    return failed;
}
