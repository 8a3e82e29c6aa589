#include "ipr_test.h"
#include "pgn/time_class.h"

#define TAG(n, v)                                                                                  \
    {                                                                                              \
        { n, sizeof n - 1 },                                                                       \
        {                                                                                          \
            v, sizeof v - 1                                                                        \
        }                                                                                          \
    }
#define NO_TAG                                                                                     \
    {                                                                                              \
        { NULL, 0 },                                                                               \
        {                                                                                          \
            NULL, 0                                                                                \
        }                                                                                          \
    }

#define UNKNOWN   IPR_TIME_UNKNOWN
#define CLASSICAL IPR_TIME_CLASSICAL
#define RAPID     IPR_TIME_RAPID
#define BLITZ     IPR_TIME_BLITZ
#define BULLET    IPR_TIME_BULLET
#define CORR      IPR_TIME_CORRESPONDENCE

/* ---- TimeControl ---- */

/* Times for 60 moves are reckoned in the comments, where they are near a limit or tell why. */
static struct control {
    const char *text;
    enum ipr_time_class class;
} controls[] = {
    /* the standard's own */
    { "40/7200:3600", CLASSICAL },
    { "40/7200:20/3600:900+30", CLASSICAL },
    { "40/5400+30:1800+30", CLASSICAL },
    { "40/960:40/960:40/960", RAPID }, /* 1920 s */
    { "40/300", BLITZ },               /* twice 300 s */
    { "40/1200:900+30", RAPID },       /* 2100 s, increment for the last 20 moves: 2700 s */
    { "1/30", RAPID },                 /* 30 min */
    { "1/10", BLITZ },                 /* 10 min */
    { "1/86400", CORR },
    { "1/259200", CORR },
    { "5400+30", CLASSICAL },
    { "3600", CLASSICAL },
    { "3599", RAPID },
    { "601", RAPID },
    { "600", BLITZ },
    { "180", BLITZ },
    { "179", BULLET },
    { "180+2", BLITZ }, /* 300 s */
    { "300+3", BLITZ },
    { "300+5", BLITZ },       /* 600 s */
    { "300+6", RAPID },       /* 660 s */
    { "300+180", CLASSICAL }, /* the servers' longest increment: 11100 s */
    { "900+5", RAPID },
    { "960+6", RAPID },
    { "1800+30", CLASSICAL }, /* 3600 s */
    { "1740+30", RAPID },     /* 3540 s */
    { "60", BULLET },         /* servers' whole minutes */
    { "60+0", BULLET },
    { "60+1", BULLET },
    { "120+1", BLITZ }, /* 180 s */
    { "0+1", BULLET },
    { "10.931+0.109", BULLET },
    { "154.283+1.543", BLITZ },
    { " 300 + 3 ", BLITZ },
    { "?", UNKNOWN },
    { "-", UNKNOWN },
    { "", UNKNOWN },
    { "*60", UNKNOWN },
    { "0", UNKNOWN },
    /* minutes where the standard has seconds */
    { "90+30", CLASSICAL },
    { "120+30", CLASSICAL },
    { "60+30", CLASSICAL },
    { "45+15", CLASSICAL },
    { "25+10", RAPID },
    { "15+10", RAPID },
    { "10+5", RAPID }, /* 15 min */
    { "5+3", BLITZ },
    { "3+2", BLITZ },
    { "5+0", BLITZ },
    { "1+0", BULLET },
    { "40/90+30:30+30", CLASSICAL },
    { "40/90:30+30", CLASSICAL }, /* the last field tells the unit of both */
    { "40/100:20/50:15+30", CLASSICAL },
    { "40/120:20/60:30", CLASSICAL }, /* no game of three periods has 3 s a move */
    { "40/120:60", CLASSICAL },
    { "40/2:20/1", CLASSICAL }, /* hours */
    /* either */
    { "15+0", UNKNOWN }, /* lichess's 15 seconds, or 15 minutes */
    { "20+1", UNKNOWN }, /* chess.com's 20 seconds, or 20 minutes */
    { "10", UNKNOWN },
    { "30", UNKNOWN },
    { "90", UNKNOWN },     /* lichess's minute and a half, or 90 minutes */
    { "90+5", UNKNOWN },   /* 390 s, or 95 min */
    { "60+10", UNKNOWN },  /* 660 s, or 70 min */
    { "120+15", UNKNOWN }, /* 1020 s, or 135 min */
    { "45+5", RAPID },     /* 50 min; no server's game below a minute has that increment */
    { "40/60", UNKNOWN },  /* 40 moves in a minute by an engine tester, in an hour by an arbiter */
    { "40/120", UNKNOWN },
    { "300+30+30", UNKNOWN }, /* two increments */
    { "40/90+30+30", UNKNOWN },
    { "90/40", UNKNOWN }, /* 40 moves in 90 minutes, or 90 in 40 */
    /* minutes and seconds with other signs */
    { "15|10", RAPID },
    { "3|2", BLITZ },
    { "5 0", BLITZ },
    { "3 0", BLITZ },
    { "25 10", RAPID }, /* 35 min */
    { "60 15", CLASSICAL },
    { "60 15 10", UNKNOWN },
    { "40/90 30", UNKNOWN },
    /* American notation: minutes, or hours for small numbers of a period */
    { "40/90, SD/30", CLASSICAL },
    { "40/90, SD/30; +30", CLASSICAL },
    { "40/120, 20/60, G/30", CLASSICAL },
    { "40/120:20/60:G/30", CLASSICAL },
    { "40/100, 20/50, SD/15, +30", CLASSICAL },
    { "30/90, SD/1", CLASSICAL }, /* minutes, then an hour */
    { "Standard: 40/2, SD/1", CLASSICAL },
    { "40/2.5, 20/1", CLASSICAL },
    { "40/7200, SD/3600", CLASSICAL }, /* seconds all the same */
    { "30/30, SD/30", CLASSICAL },     /* 60 min */
    { "30/25, SD/25", RAPID },         /* 50 min */
    { "40/20, SD/10", RAPID },         /* 30 min */
    { "G/90", CLASSICAL },
    { "G/90;d5", CLASSICAL },
    { "G/90+30", CLASSICAL },
    { "game/90;inc30", CLASSICAL },
    { "G/60", CLASSICAL },
    { "G/60 d5", CLASSICAL },
    { "G/59", RAPID },
    { "G/25;d5", RAPID },
    { "G/5 d0", BLITZ },
    { "G/5;+3", BLITZ }, /* 8 min */
    { "G/1", BULLET },
    { "Game in 30", RAPID },
    { "SD/120", CLASSICAL },
    { "100/40, SD/30", UNKNOWN }, /* 40 moves in 100 minutes, or 100 in 40 */
    { "G/30/40", UNKNOWN },
    { "Standard: 180+2", BLITZ }, /* a word of speed leaves the standard's seconds */
    /* units */
    { "90'+30''", CLASSICAL },
    { "15'+10\"", RAPID },
    { "5'+3''", BLITZ },
    { "3' + 2''", BLITZ },
    { "90\xE2\x80\xB2 + 30\xE2\x80\xB3", CLASSICAL },
    { "10\xE2\x80\x99+5\xE2\x80\x9D", RAPID },
    { "100'/40 + 50'/20 + 15' + 30''", CLASSICAL },
    { "100 min/40 moves + 50 min/20 moves + 15 min + 30 sec/move from move 1", CLASSICAL },
    { "90 min/40 moves + 30 min + 30 sec increment", CLASSICAL },
    { "90 min/40 mov. + 30 min/rest. + 30 sec. incr. p/ mov. desde mov. 1", CLASSICAL },
    { "100 minutes for 40 moves, 50 for next 20, 15 to finish", CLASSICAL },
    { "90 minutes for 40 moves, then 30 minutes, increment of 30 seconds", CLASSICAL },
    { "90 minutes +30 seconds increment", CLASSICAL },
    { "40 moves in 2 hours, 20 moves in 1 hour, then 30 min", CLASSICAL },
    { "40 Z\xC3\xBCge in 90 Minuten, danach 30 Minuten", CLASSICAL },
    { "60 minutes after 40 moves + 60 minutes", CLASSICAL },
    { "2h/40 + 1h", CLASSICAL },
    { "40/2h", CLASSICAL },
    { "40/20 min", RAPID }, /* twice 20 min */
    { "1h30+30s", CLASSICAL },
    { "90'/40+30'/end & 30''/move", CLASSICAL },
    { "15 min/end & 10 sec/move", RAPID },
    { "1 hour 30 minutes", CLASSICAL },
    { "1 hour", CLASSICAL },
    { "5 min", BLITZ },
    { "5min", BLITZ },
    { "5-min", BLITZ },
    { "10 minutes per player", BLITZ },
    { "10 min/player", BLITZ },
    { "15 min to finish the game", RAPID },
    { "11 minutes per player", RAPID },
    { "25 min + 10 sec", RAPID },
    { "15 min + 10 sec", RAPID },
    { "15 min 10 sec", RAPID },
    { "1 min 30 sec", UNKNOWN }, /* 90 s, or 31 min */
    { "10 sec/move", BLITZ },
    { "30 seconds per move", RAPID },
    { "3 days/move", CORR },
    { "10 days per 10 moves", CORR },
    { "1 in 5 days", CORR },
    { "300+3; 180+2", BLITZ },
    { "180+2; 60+1", UNKNOWN },
    { "Blitz", BLITZ },
    { "Rapid (15+10)", RAPID },
    { "Classical 60+10", CLASSICAL }, /* the word says what the numbers do not */
    /* nothing of the kind, or not all of it */
    { "1:30:00", UNKNOWN },
    { "1:30+30", UNKNOWN },
    { "90 or so", UNKNOWN },
    { "90 min + 30 sec bonus", UNKNOWN },
    { "15 min for the remaining 20 moves", UNKNOWN },
    { "120 minutes after 40 moves 60 minutes", UNKNOWN },
    { "30 min, 2 days", UNKNOWN },
    { "10/move", UNKNOWN },
    { "90-30", UNKNOWN },
    { "5+90", UNKNOWN }, /* 5 seconds, or an increment of a minute and a half */
    { "30 min + 1 hour/move", UNKNOWN },
    { "90 min/40 moves/20 moves", UNKNOWN },
    { "round 3", UNKNOWN },
    { "moves", UNKNOWN },
    { "minutes", UNKNOWN },
    { "inc 30", UNKNOWN },
    { "30 sec increment", UNKNOWN },
    { "30 sec increment per move", UNKNOWN },
    { "+5", UNKNOWN },
    { "5+", UNKNOWN },
    { "5/", UNKNOWN },
    { "40/7200:", UNKNOWN },
    { "15 min + increment", UNKNOWN },
    { "G/60 d", UNKNOWN }, /* a delay of unknown length; 60 days it is not */
    { "40 moves", UNKNOWN },
    { "40 moves, 90 min", CLASSICAL },
    { "90 min, 40 moves", UNKNOWN }, /* moves of a time that is not there */
    { "1e9", UNKNOWN },
    { "1.2.3", UNKNOWN },
    { "40/0", UNKNOWN },
    { "0/300", UNKNOWN },
    { ":", UNKNOWN },
    { "/", UNKNOWN },
    { "300:300", UNKNOWN },
    { "1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1", UNKNOWN },
    { "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", UNKNOWN },
    { "99999999999999999999999999999999999999999999999999", UNKNOWN },
};

static void test_control(void **state)
{
    const struct control *r = *state;
    const struct ipr_pgn_tag tag = { IPR_STR("TimeControl"), ipr_str_c(r->text) };
    enum ipr_time_known known;

    assert_int_equal(ipr_time_class(&tag, 1, &known), r->class);
    assert_int_equal(known, r->class == UNKNOWN ? IPR_TIME_NOT_KNOWN : IPR_TIME_TAGGED);
}

/* ---- Names of events ---- */

static struct event {
    const char *name;
    enum ipr_time_class class;
} events[] = {
    { "World Blitz Championship", BLITZ },
    { "Rated Blitz game", BLITZ },
    { "Rated Bullet game", BULLET },
    { "Rated UltraBullet game", BULLET },
    { "Casual Rapid game", RAPID },
    { "Rated Correspondence game", CORR },
    { "Rated Classical game", CLASSICAL },
    { "FICS rated lightning game", BULLET },
    { "Titled Tue 12th Dec Late", BLITZ },
    { "Speed Chess Championship", BLITZ },
    { "Speed Chess Championship Bullet", BULLET },
    { "Norway Chess Armageddon", BLITZ },
    { "Club Lightning", BLITZ },
    { "GCT Blitz2019", BLITZ },
    { "GCT Rapid & Blitz", UNKNOWN }, /* which of the two is not said */
    { "5th Ordix Open (rapid)", RAPID },
    { "Corsica rapide", RAPID },
    { "Open de partidas R\xC3\x81PIDAS", RAPID },
    { "Blitzturnier", BLITZ },
    { "Schnellschach-WM", RAPID },
    { "DEM Schnell 2019", RAPID },
    { "Torneo Rel\xC3\xA1mpago", BLITZ },
    { "\xD0\x91\xD0\xBB\xD0\xB8\xD1\x86", BLITZ }, /* Blitz in Cyrillic, first letter capital */
    { "\xD0\xA0\xD0\x90\xD0\x9F\xD0\x98\xD0\x94", RAPID }, /* Rapid, all capitals */
    { "Lynsjakk-NM", BLITZ },
    { "W-ch corr05", CORR },
    { "corr.", CORR },
    { "FRG e-mail tourn", CORR },
    { "Deutsche Fernschachmeisterschaft", CORR },
    { "Golden Knights Postal", CORR },
    { "ICCF WC30 Final", CORR },
    { "par correspondance", CORR },
    { "Gligoric 83rd g/20 Match", RAPID },
    { "4th Zurich CC Classical", CLASSICAL },
    /* no such word, or a name */
    { "II Neoclassical Open", UNKNOWN },
    { "London Chess Classic", UNKNOWN },
    { "Corus A", UNKNOWN },
    { "Corral de Almaguer op", UNKNOWN },
    { "Rapid City op", UNKNOWN },
    { "Grand Rapids op", UNKNOWN },
    { "Rapid Wien - Husek", UNKNOWN },
    { "Schnell Memorial", UNKNOWN },
    { "Blitz mem", UNKNOWN },
    { "Tal mem blitz", BLITZ },
    { "Blitzstein Cup", UNKNOWN },
    { "2nd IECC", UNKNOWN },
    { "Daily Mail", UNKNOWN },
    { "URS-USA telex", UNKNOWN },
    { "g/", UNKNOWN },
    { "", UNKNOWN },
    { "?", UNKNOWN },
};

static void test_event(void **state)
{
    const struct event *r = *state;
    const struct ipr_pgn_tag tag = { IPR_STR("Event"), ipr_str_c(r->name) };
    enum ipr_time_known known;

    assert_int_equal(ipr_time_class(&tag, 1, &known), r->class);
    assert_int_equal(known, r->class == UNKNOWN ? IPR_TIME_NOT_KNOWN : IPR_TIME_INFERRED);
}

/* ---- Which tag counts ---- */

static struct row {
    const char *name;
    enum ipr_time_class class;
    enum ipr_time_known known;
    struct ipr_pgn_tag tags[4];
} rows[] = {
    { "the clock before the name",
      CLASSICAL,
      IPR_TIME_TAGGED,
      { TAG("Event", "Blitz Hotel Open"), TAG("TimeControl", "40/7200:3600"), NO_TAG } },
    { "the name when the clock says nothing",
      CORR,
      IPR_TIME_INFERRED,
      { TAG("Event", "Rated Correspondence game"), TAG("TimeControl", "-"), NO_TAG } },
    { "the clock before the type",
      RAPID,
      IPR_TIME_TAGGED,
      { TAG("EventType", "tourn (blitz)"), TAG("TimeControl", "900+10"), NO_TAG } },
    { "the type before the name",
      RAPID,
      IPR_TIME_TAGGED,
      { TAG("Event", "City Blitz"), TAG("EventType", "swiss (rapid)"), NO_TAG } },
    { "the type by correspondence",
      CORR,
      IPR_TIME_TAGGED,
      { TAG("EventType", "tourn (corr)"), NO_TAG, NO_TAG } },
    { "the type without a word",
      UNKNOWN,
      IPR_TIME_NOT_KNOWN,
      { TAG("EventType", "swiss"), NO_TAG, NO_TAG } },
    { "played by electronic mail", CORR, IPR_TIME_TAGGED, { TAG("Mode", "EM"), NO_TAG, NO_TAG } },
    { "played by paper mail", CORR, IPR_TIME_TAGGED, { TAG("Mode", "PM"), NO_TAG, NO_TAG } },
    { "played over the board",
      UNKNOWN,
      IPR_TIME_NOT_KNOWN,
      { TAG("Mode", "OTB"), NO_TAG, NO_TAG } },
    { "mode in a word", CORR, IPR_TIME_TAGGED, { TAG("Mode", "correspondence"), NO_TAG, NO_TAG } },
    { "site of correspondence",
      CORR,
      IPR_TIME_INFERRED,
      { TAG("Event", "WC30"), TAG("Site", "ICCF"), NO_TAG } },
    { "a place is no class",
      UNKNOWN,
      IPR_TIME_NOT_KNOWN,
      { TAG("Event", "Open"), TAG("Site", "Rapid City"), TAG("White", "Blitz") } },
    { "event and site at odds",
      UNKNOWN,
      IPR_TIME_NOT_KNOWN,
      { TAG("Event", "Blitz"), TAG("Site", "corr"), NO_TAG } },
};

static void test_tags(void **state)
{
    const struct row *r = *state;
    enum ipr_time_known known;

    assert_int_equal(ipr_time_class(r->tags, 4, &known), r->class);
    assert_int_equal(known, r->known);
}

/* ---- Servers ---- */

#define O_CLASSICAL IPR_TIME_ONLINE_CLASSICAL
#define O_RAPID     IPR_TIME_ONLINE_RAPID
#define O_BLITZ     IPR_TIME_ONLINE_BLITZ
#define O_BULLET    IPR_TIME_ONLINE_BULLET
#define O_UNKNOWN   IPR_TIME_ONLINE_UNKNOWN

static struct served {
    const char *site, *control, *event;
    enum ipr_time_class class;
    const char *other, *value; /* one more tag */
} served[] = {
    { "https://lichess.org/abcd1234", "600+0", "Rated Rapid game", O_RAPID, NULL, NULL },
    { "https://lichess.org/abcd1234", "479+0", "", O_BLITZ, NULL, NULL },
    { "https://lichess.org/abcd1234", "480+0", "", O_RAPID, NULL, NULL },
    { "https://lichess.org/abcd1234", "300+5", "", O_RAPID, NULL, NULL }, /* 500 s */
    { "https://lichess.org/abcd1234", "1499", "", O_RAPID, NULL, NULL },
    { "https://lichess.org/abcd1234", "900+15", "", O_CLASSICAL, NULL, NULL }, /* 1500 s */
    { "https://lichess.org/abcd1234", "179+0", "", O_BULLET, NULL, NULL },
    { "https://lichess.org/abcd1234", "120+1", "", O_BULLET, NULL, NULL }, /* 160 s */
    { "https://lichess.org/abcd1234", "0+3", "", O_BULLET, NULL, NULL },
    { "https://lichess.org/abcd1234", "15+0", "", O_BULLET, NULL, NULL }, /* seconds for sure */
    { "lichess.org", "180+0", "", O_BLITZ, NULL, NULL },
    { "lichess.org INT", "", "Titled Arena Blitz", O_BLITZ, NULL, NULL },
    { "LICHESS.ORG", "?", "Rated Classical game", O_CLASSICAL, NULL, NULL },
    { "https://lichess.org/abcd1234", "-", "Rated Correspondence game", CORR, NULL, NULL },
    { "https://lichess.org/abcd1234", "-", "Casual game", O_UNKNOWN, NULL, NULL },
    { "https://lichess.org/x", "", "Rated blitz tournament https://lichess.org/tournament/y",
      O_BLITZ, NULL, NULL },
    { "Chess.com", "600", "Live Chess", O_RAPID, NULL, NULL },
    { "Chess.com", "599", "Live Chess", O_BLITZ, NULL, NULL },
    { "Chess.com", "300+8", "Live Chess", O_RAPID, NULL, NULL }, /* 620 s */
    { "Chess.com", "60+1", "Live Chess", O_BULLET, NULL, NULL },
    { "Chess.com", "3600", "Live Chess", O_RAPID, NULL, NULL }, /* it has no classical ratings */
    { "Chess.com", "1/86400", "Let's Play!", CORR, NULL, NULL },
    { "Chess.com", "15|10", "", O_RAPID, NULL, NULL },
    { "?", "600", "", O_RAPID, "Link", "https://www.chess.com/game/live/123" },
    { "", "180", "", O_BLITZ, "GameUrl", "https://lichess.org/abcd1234" },
    { "FICS freechess.org", "900+0", "FICS rated standard game", O_RAPID, NULL, NULL },
    { "Internet Chess Club", "300+0", "", O_BLITZ, NULL, NULL },
    { "www.chessclub.com", "60+0", "", O_BULLET, NULL, NULL },
    { "Playchess.com INT", "180+2", "", O_BLITZ, NULL, NULL },
    { "chess24.com INT", "900+10", "", O_RAPID, NULL, NULL },
    /* shown there, not played there */
    { "Wijk aan Zee", "40/6000:20/3000:900+30", "Tata Steel", CLASSICAL, "BroadcastURL",
      "https://lichess.org/broadcast/x" },
    { "https://lichess.org/broadcast/a/round-1/b", "900+10", "", RAPID, NULL, NULL },
    { "https://lichess.org/study/a/b", "", "", UNKNOWN, NULL, NULL },
    { "https://lichess.org/abcd1234", "900+10", "", RAPID, "StudyName", "My games" },
    { "Oslo", "900+10", "", RAPID, "GameURL", "https://lichess.org/broadcast/a/b/c" },
    { "Oslo", "900+10", "", RAPID, "Link", "https://www.chess.com/events/2024-x/01" },
    { "Oslo", "900+10", "", RAPID, "Annotator", "https://lichess.org/@/somebody" },
    { "mychess.com", "900+10", "", RAPID, NULL, NULL },
};

static void test_served(void **state)
{
    const struct served *r = *state;
    const struct ipr_pgn_tag tags[] = {
        { IPR_STR("Site"), ipr_str_c(r->site) },
        { IPR_STR("TimeControl"), ipr_str_c(r->control) },
        { IPR_STR("Event"), ipr_str_c(r->event) },
        { ipr_str_c(r->other != NULL ? r->other : "White"), ipr_str_c(r->value) },
    };
    enum ipr_time_known known;

    assert_int_equal(ipr_time_class(tags, 4, &known), r->class);
    assert_int_equal(known == IPR_TIME_NOT_KNOWN, r->class == UNKNOWN || r->class == O_UNKNOWN);
}

static void test_no_tags(void **state)
{
    enum ipr_time_known known = IPR_TIME_TAGGED;

    (void)state;
    assert_int_equal(ipr_time_class(NULL, 0, &known), UNKNOWN);
    assert_int_equal(known, IPR_TIME_NOT_KNOWN);
}

/* Only the first few hundred bytes of a name are looked at, whole letters of them. */
static void test_long_name(void **state)
{
    static char name[2000];
    const struct ipr_pgn_tag tag = { IPR_STR("Event"), { name, sizeof name } };
    enum ipr_time_known known;

    (void)state;
    for (size_t i = 0; i < sizeof name; i++)
        name[i] = i % 2 == 0 ? '\xC3' : '\xA9';
    memcpy(name, "Blitz ", 6);
    assert_int_equal(ipr_time_class(&tag, 1, &known), BLITZ);
}

static void test_names(void **state)
{
    (void)state;
    for (unsigned c = 0; c < IPR_TIME_CLASSES; c++)
        assert_int_equal(
            ipr_time_class_read(ipr_str_c(ipr_time_class_name((enum ipr_time_class)c))), c);
    assert_int_equal(ipr_time_class_read(IPR_STR("Blitz")), IPR_TIME_CLASSES);
    assert_int_equal(ipr_time_class_read(IPR_STR("")), IPR_TIME_CLASSES);
    assert_string_equal(ipr_time_known_name(IPR_TIME_INFERRED), "inferred");
}

static void test_sets(void **state)
{
    unsigned set = 0;

    (void)state;
    assert_null(ipr_time_set_read("rapid,unknown", &set));
    assert_int_equal(set, IPR_TIME_BIT(IPR_TIME_RAPID) | IPR_TIME_BIT(IPR_TIME_UNKNOWN));
    assert_string_equal(ipr_time_set_read("blitz,fast,bullet", &set), "fast,bullet");
    assert_string_equal(ipr_time_set_read("blitz,", &set), "");
    assert_string_equal(ipr_time_set_read("blitz,all", &set), "all");
    assert_int_equal(set, IPR_TIME_BIT(IPR_TIME_RAPID) | IPR_TIME_BIT(IPR_TIME_UNKNOWN));
    assert_null(ipr_time_set_read("all", &set));
    assert_int_equal(set, IPR_TIME_SET_ALL);
}

static void test_servers(void **state)
{
    static const char *const named[][3] = {
        { "Site", "https://lichess.org/abcd1234", "lichess" },
        { "Site", "Chess.com", "chess.com" },
        { "Link", "https://www.chess.com/game/live/1", "chess.com" },
        { "Site", "FICS freechess.org", "FICS" },
        { "Site", "Internet Chess Club", "ICC" },
        { "Site", "Oslo", NULL },
        { "Link", "https://www.chess.com/events/2024-x/01", NULL },
    };

    (void)state;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        const struct ipr_pgn_tag tag = { ipr_str_c(named[i][0]), ipr_str_c(named[i][1]) };
        const char *const server = ipr_game_server(&tag, 1);

        if (named[i][2] == NULL)
            assert_null(server);
        else
            assert_string_equal(server, named[i][2]);
    }
}

int main(void)
{
    enum {
        N_CONTROLS = sizeof controls / sizeof *controls,
        N_EVENTS = sizeof events / sizeof *events,
        N_ROWS = sizeof rows / sizeof *rows,
        N_SERVED = sizeof served / sizeof *served,
        N_TABLE = N_CONTROLS + N_EVENTS + N_ROWS + N_SERVED,
    };
    struct CMUnitTest tests[N_TABLE + 5] = {
        [N_TABLE] = cmocka_unit_test(test_no_tags),
        [N_TABLE + 1] = cmocka_unit_test(test_long_name),
        [N_TABLE + 2] = cmocka_unit_test(test_names),
        [N_TABLE + 3] = cmocka_unit_test(test_sets),
        [N_TABLE + 4] = cmocka_unit_test(test_servers),
    };
    size_t n = 0;

    for (size_t i = 0; i < N_CONTROLS; i++)
        tests[n++] = (struct CMUnitTest){ .name = controls[i].text,
                                          .test_func = test_control,
                                          .initial_state = &controls[i] };
    for (size_t i = 0; i < N_EVENTS; i++)
        tests[n++] = (struct CMUnitTest){ .name = events[i].name,
                                          .test_func = test_event,
                                          .initial_state = &events[i] };
    for (size_t i = 0; i < N_ROWS; i++)
        tests[n++] = (struct CMUnitTest){ .name = rows[i].name,
                                          .test_func = test_tags,
                                          .initial_state = &rows[i] };
    for (size_t i = 0; i < N_SERVED; i++)
        tests[n++] = (struct CMUnitTest){ .name = served[i].site,
                                          .test_func = test_served,
                                          .initial_state = &served[i] };
    return cmocka_run_group_tests_name("time classes", tests, NULL, NULL);
}
