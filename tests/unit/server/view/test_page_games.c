/* The pages of games, events, uploads and the queue. */
#include "page.h"

#define SEARCH                                                                                     \
    "\"search\":{\"uci\":\"g1f3\",\"san\":\"Nf3\",\"value\":-90,\"depth\":24,\"seldepth\":43,"     \
    "\"tbhits\":0,\"time_ms\":1,\"dmean\":8,\"dmax\":43,\"ddmax\":3}"
#define GAME_HEAD                                                                                  \
    "{\"id\":5,\"white\":{\"id\":7,\"name\":\"<Fischer> & Co\",\"elo\":2785},"                     \
    "\"black\":{\"id\":8,\"name\":\"Larsen\",\"elo\":null},\"result\":\"1-0\","                    \
    "\"event\":\"<Denver>\",\"site\":null,\"round\":\"2\",\"date\":\"1971.07.08\",\"year\":1971,"

/* Every kind of note, state, evaluation and source. */
static void game(void **state)
{
    (void)state;
    EXPECT(
        "game",
        GAME_HEAD
        "\"time_class\":\"blitz\",\"time_class_known\":\"inferred\",\"tags\":{\"Event\":\"<Denver>"
        "\"},"
        "\"start_fen\":null,\"plies\":4,\"moves_stored\":true,\"final_state\":\"checkmate\"," JUDGE
        "\"states\":["
        "{\"ply\":3,\"state\":null,\"check\":true,\"repetitions\":1,\"halfmove\":1},"
        "{\"ply\":4,\"state\":\"checkmate\",\"check\":true,\"repetitions\":1,\"halfmove\":0}],"
        "\"moves\":[{\"ply\":0,\"number\":17,\"mover\":\"w\",\"uci\":\"g1f3\",\"san\":\"Nf3\"},"
        "{\"ply\":1,\"number\":17,\"mover\":\"b\",\"uci\":\"g8f6\",\"san\":\"Nf6\"},"
        "{\"ply\":2,\"number\":18,\"mover\":\"w\",\"uci\":\"f3g1\",\"san\":\"Ng1+\"},"
        "{\"ply\":3,\"number\":18,\"mover\":\"b\",\"uci\":\"f6g8\",\"san\":\"Ng8#\"}],\"turns\":["
        "{\"ply\":1,\"mover\":\"b\",\"depth\":10,\"best\":{\"uci\":\"d7d5\",\"san\":\"d5\","
        "\"score\":31},\"played\":{},\"rank\":3,\"eval_white\":123},"
        "{\"ply\":2,\"mover\":\"w\",\"depth\":10,\"best\":{\"uci\":\"f3g1\",\"san\":\"Ng1+\","
        "\"score\":0},\"played\":{},\"rank\":1,\"eval_white\":{\"mate\":-4}},"
        "{\"ply\":3,\"mover\":\"b\",\"depth\":10,\"best\":{\"uci\":\"h7h5\",\"san\":\"h5\","
        "\"score\":{\"mate\":2}},\"played\":{},\"rank\":2,\"eval_white\":null}],\"notes\":["
        "{\"ply\":0,\"comment\":\"A <famous> game\"},{\"ply\":1,\"nag\":5},{\"ply\":1,\"nag\":146},"
        "{\"ply\":1,\"comment\":\"<script>\"},{\"ply\":2,\"clock_ms\":7199000},"
        "{\"ply\":2,\"elapsed_ms\":61000},{\"ply\":2,\"eval_white\":-7,\"depth\":18},"
        "{\"ply\":3," SEARCH "}],\"judged_by\":[{\"judge\":{\"id\":2,\"name\":\"deep\","
        "\"engine\":\"E\",\"network\":\"\",\"multipv\":5,\"limit\":{\"depth\":14},\"first_move\":9}"
        ","
        "\"mover\":\"b\",\"turns\":27,\"lines\":true,\"source\":\"import\",\"finished\":\"2026-11-"
        "21T12:00:00Z\"}]"
        ","
        "\"sources\":[{\"upload\":3,\"game\":12,\"source\":\"<a>.pgn\","
        "\"created\":\"2026-11-20T12:00:00Z\",\"duplicate\":true}]}",
        "&lt;Fischer&gt; &amp; Co – Larsen, 1-0", "– Larsen 1–0</h1>",
        "&lt;Denver&gt;, round 2, 8 July 1971",
        "<a href=\"/players/7/fischer-co/1971\">&lt;Fischer&gt; &amp; Co</a> 2785",
        "blitz, from the name of the event", "The last position: checkmate",
        "A &lt;famous&gt; game", "17. Nf3", "17… Nf6", "!?", "$146", "&lt;script&gt;", "+1.23",
        "d5 −0.31", "#-4", "h5 #-2", "1:59:59", "spent 0:01:01",
        "evaluation in the file −0.07, depth 18", "searched Nf3: −0.90 for the mover, depth 24",
        "<strong>checkmate</strong>", "deep: E, depth 14, 5 lines, from move 9", "/games/5?judge=2",
        "<td>Black</td>", "&lt;a&gt;.pgn", "12, duplicate", "/uploads/3",
        "/api/v1/games/5.pgn?evals=true", "/api/v1/games/5.pgn?form=alliot");
    EXPECT("game",
           GAME_HEAD
           "\"time_class\":\"unknown\",\"time_class_known\":\"unknown\",\"tags\":{},"
           "\"start_fen\":\"4k3/8/8/8/8/8/8/4K3 w - - 0 1\",\"plies\":0,\"moves_stored\":true,"
           "\"final_state\":\"insufficient_material\",\"judge\":null,"
           "\"states\":[{\"ply\":0,\"state\":\"insufficient_material\"}],\"moves\":[],"
           "\"turns\":[],\"notes\":[],\"judged_by\":[],\"sources\":[]}",
           "From the position <code>4k3/", "won by forfeit; no moves were played.",
           "insufficient material", "Time class: unknown");
    char *html = render("game", GAME_HEAD
                        "\"time_class\":\"unknown\",\"time_class_known\":\"unknown\",\"tags\":{},"
                        "\"start_fen\":null,\"plies\":0,\"moves_stored\":true,\"final_state\":null,"
                        "\"judge\":null,\"states\":[],\"moves\":[],\"turns\":[],\"notes\":[],"
                        "\"judged_by\":[],\"sources\":[]}");
    static const char *const empty[] = { "in 0 moves", "Every move", "Not analysed", "Analyses",
                                         "None yet" };
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
        assert_null(strstr(html, empty[i]));
    free(html);
    EXPECT("game",
           GAME_HEAD
           "\"time_class\":\"unknown\",\"time_class_known\":\"unknown\",\"tags\":{},"
           "\"start_fen\":null,\"plies\":1110,\"moves_stored\":false,\"final_state\":null," JUDGE
           "\"states\":[],\"moves\":[],\"turns\":[],\"notes\":[],\"judged_by\":[{\"judge\":{"
           "\"id\":2,\"name\":\"deep\",\"engine\":\"E\",\"network\":\"\",\"multipv\":2,"
           "\"limit\":{\"depth\":14},\"first_move\":9},\"mover\":\"w\",\"turns\":27,"
           "\"lines\":false,\"source\":\"import\",\"finished\":\"2026-11-21T12:00:00Z\"}],"
           "\"ratings\":{\"white\":{\"estimate\":null,\"interval\":null},\"black\":{"
           "\"estimate\":2400,\"interval\":{\"low\":2000,\"high\":2700}}},\"sources\":[]}",
           "<th scope=\"row\">Black, Larsen</th><td class=\"n strong\">2400</td>",
           "Its 1,110 half-moves are not stored here; the figures on this page were computed "
           "from them elsewhere. If its PGN is uploaded, the game is recognised, and its board",
           "/api/v1/evaluations?form=figures&amp;game=5&amp;judge=2\">figures only</a>");
}

#define REPORT_SIDE(list)                                                                          \
    "{\"moves\":11,\"mean_loss\":0.352,\"points_lost\":0.914,\"accuracy\":0.9123,"                 \
    "\"inaccuracies\":1,"                                                                          \
    "\"mistakes\":2,\"blunders\":0,\"phases\":[{\"phase\":\"endgame\",\"moves\":11,"               \
    "\"mean_loss\":0.352,\"points_lost\":0.914},{\"phase\":\"opening\",\"moves\":9,"               \
    "\"mean_loss\":7.77,\"points_lost\":0.1}]," list "}"

/* What the report of a game makes of its analysed moves: board, graph, likelihoods, cards. */
static void game_report(void **state)
{
    (void)state;
    EXPECT("game",
           GAME_HEAD
           "\"time_class\":\"blitz\",\"time_class_known\":\"inferred\",\"tags\":{},"
           "\"start_fen\":null,\"plies\":3,\"moves_stored\":true,\"final_state\":null," JUDGE
           "\"states\":[],\"position\":{\"ply\":2,\"fen\":\"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"},"
           "\"turning\":{\"kind\":\"move\",\"from\":1,\"to\":1},\"likelihood_reason\":null,"
           "\"white_expected\":[null,0.38,0.62,0.6],\"unconfirmed\":0,"
           "\"moves\":[{\"ply\":0,\"number\":9,\"mover\":\"w\",\"uci\":\"e2e4\",\"san\":\"e4\","
           "\"fen\":\"F1\"},{\"ply\":1,\"number\":9,\"mover\":\"b\",\"uci\":\"e8e7\",\"san\":"
           "\"Ke7\",\"fen\":\"F2\"},{\"ply\":2,\"number\":10,\"mover\":\"w\",\"uci\":\"e4e5\","
           "\"san\":\"e5\",\"fen\":\"F3\"}],\"turns\":["
           "{\"ply\":1,\"mover\":\"b\",\"depth\":10,\"best\":{\"uci\":\"e8d7\",\"san\":\"Kd7\","
           "\"score\":31},\"played\":{\"score\":-50},\"rank\":3,\"eval_white\":50,\"loss\":81,"
           "\"expected\":0.62,\"expected_played\":0.38,\"points_lost\":0.24,\"mark\":\"mistake\","
           "\"phase\":\"endgame\",\"lines\":[{\"uci\":\"e8d7\",\"san\":\"Kd7\",\"score\":31,"
           "\"fen\":\"L1\"}],\"likelihoods\":[{\"elo\":1600,\"played\":0.2,\"as_good\":0.6},"
           "{\"elo\":2000,\"played\":0.11,\"as_good\":0.75},{\"elo\":2400,\"played\":0.05,"
           "\"as_good\":0.9},{\"elo\":2700,\"played\":0.01,\"as_good\":0.99}]},"
           "{\"ply\":2,\"mover\":\"w\",\"depth\":10,\"best\":{\"uci\":\"e4e5\",\"san\":\"e5\","
           "\"score\":50},\"played\":{\"score\":50},\"rank\":1,\"eval_white\":50,\"loss\":0,"
           "\"expected\":0.6,\"expected_played\":0.6,\"points_lost\":0,\"mark\":null,"
           "\"phase\":\"endgame\",\"lines\":[],\"likelihoods\":[{\"elo\":1600,\"played\":0.3,"
           "\"as_good\":0.3},{\"elo\":2000,\"played\":0.33,\"as_good\":0.33}]}],"
           "\"sides\":{\"white\":" REPORT_SIDE(
               "\"costliest\":[],\"hardest\":[{\"ply\":2,\"san\":"
               "\"e5\",\"as_good\":0.33,\"loss\":0.04}]") ",\"black\":" REPORT_SIDE("\"costliest\":"
                                                                                    "[{\"ply\":1,"
                                                                                    "\"san\":"
                                                                                    "\"Ke7\","
                                                                                    "\"points_"
                                                                                    "lost\":"
                                                                                    "0.24}],"
                                                                                    "\"hardest\":["
                                                                                    "]") "},"
                                                                                         "\"notes\""
                                                                                         ":[],"
                                                                                         "\"judged_"
                                                                                         "by\":[],"
                                                                                         "\"sources"
                                                                                         "\":[]}",
           "won in 2 moves: Larsen’s 9…Ke7? turned the game; Kd7 was better.",
           "aria-label=\"Position after 9…Ke7?\"", "<use href=\"#piece-bk\" x=\"4\" y=\"0\"",
           "<use href=\"#piece-wp\" x=\"4\" y=\"6\"", "<rect class=\"moved\" x=\"4\" y=\"1\"",
           "<g class=\"instead\">",
           "<line class=\"arrow\" x1=\"4.5\" y1=\"0.5\" x2=\"3.5\" y2=\"1.5\"",
           "data-ply=\"2\" data-fen=\"F2\" data-uci=\"e8e7\" data-reply=\"e4e5\" "
           "data-better=\"e8d7\">",
           "data-ply=\"3\" data-fen=\"F3\" data-uci=\"e4e5\" data-reply=\"\" hidden>",
           "<h3>9…Ke7? <span class=\"soft\">+0.50</span></h3>",
           "; <strong>Kd7</strong> was better.",
           "Of players of 2000, <strong>one in nine</strong> would play this.",
           "Nothing lost. <span class=\"chance\">Of players of 2000, <strong>one in three</strong> "
           "would find a "
           "move as good.",
           "<li data-fen=\"L1\" data-uci=\"e8d7\">", "<span>9.&#160;</span><a id=\"1\"",
           "<a id=\"2\" aria-current=\"true\" href=\"/games/5?ply=2#board\" "
           "class=\"mistake\">Ke7?</a>",
           "d=\"M1 62.0L2 38.0L3 40.0\"", "cx=\"66.67%\" cy=\"38.00%\"",
           "<td class=\"n\">0.81</td><td class=\"n\">0.24</td><td class=\"n\">60%</td>",
           "accuracy 91%", ">1 inaccuracy, 2 mistakes, 0 blunders</a>", "Endgame 0.91",
           "<rect class=\"opening\" x=\"100.00%\" width=\"10.94%\"",
           "9…Ke7?</a> lost 0.24 points, better Kd7", "10. e5</a>: one in three at 2400");
}

static void events(void **state)
{
    (void)state;
    EXPECT(
        "events",
        "{" JUDGE "\"events\":[{\"id\":9,\"name\":\"<Cup> & Co\",\"year\":1971,\"games\":1350,"
        "\"games_judged\":20,\"players\":300,\"counted_all\":true},{\"id\":8,\"name\":\"Rated\","
        "\"year\":null,\"games\":10001,\"games_judged\":0,\"players\":9000,\"counted_all\":false}],"
        "\"next\":\"0-8\",\"search\":\"c\",\"year\":null}",
        "<a href=\"/events/9/cup-co\">&lt;Cup&gt; &amp; Co</a>", "<td>1971</td>", "1,350",
        "over 10,001", "unknown", "name=\"after\" value=\"0-8\"", "name=\"q\" value=\"c\"",
        "aria-current=\"true\">Events");
    EXPECT("events",
           "{\"events\":[{\"id\":9,\"name\":\"World Championship 31th\",\"year\":1981,"
           "\"games\":1}],\"year\":null}",
           "<a href=\"/events/9/world-championship-31st\">World Championship 31st</a>");
    EXPECT("events", "{\"finding\":\"No event of this year.\",\"events\":[],\"year\":1999}",
           "<p class=\"verdict\">No event of this year.</p>");
}

#define EVENT_HEAD                                                                                 \
    "{\"event\":{\"id\":9,\"name\":\"<Cup>\",\"year\":1971}," JUDGE                                \
    "\"time_classes\":[\"blitz\"],\"not_rated\":{\"rapid\":2},\"games\":45,\"games_judged\":44,"   \
    "\"results\":{\"white_won\":20,\"black_won\":10,\"drawn\":14,\"unknown\":1},"
#define PLAYER(n, rest)                                                                            \
    "{\"place\":" #n ",\"player\":{\"id\":" #n ",\"name\":\"<P> " #n "\"},\"games\":9,"            \
    "\"games_judged\":9,\"turns\":300," rest "}"

/* One player tested in two rounds, one not. */
#define SCREENING                                                                                  \
    "\"screening\":{\"tested\":1,\"games_analysed\":44,\"mean_z\":2.5,\"answer\":\"Of 1 player "   \
    "<tested>.\","                                                                                 \
    "\"rows\":[{\"rank\":1,\"player\":{\"id\":1,\"name\":\"<P> "                                   \
    "1\"},\"elo\":2401.4,\"elo_source\":\"both\","                                                 \
    "\"moves\":310,\"z\":2.51,\"tail\":0.006,\"expected\":0.006,\"adjusted\":0.0061,"              \
    "\"false_discovery_rate\":0.0062}],\"excluded\":[{\"player\":{\"id\":2,\"name\":\"<P> 2\"},"   \
    "\"moves\":12,\"reason\":\"fewer than 30 analysed moves\"}]},"                                 \
    "\"crosstable\":{\"rounds\":[1,3],\"numbered_by\":\"tags\",\"rows\":[{\"number\":1,"           \
    "\"place\":1,\"player\":"                                                                      \
    "{\"id\":1,\"name\":\"<P> "                                                                    \
    "1\"},\"elo\":2401.4,\"score\":1.5,\"rounds\":[{\"round\":1,\"games\":[{"                      \
    "\"game\":77,\"color\":\"black\",\"opponent\":{\"id\":2,\"name\":\"<P> 2\"},"                  \
    "\"opponent_number\":2,\"points\":0.5,\"forfeited\":false,\"moves\":30,\"z\":2.2}]"            \
    "},"                                                                                           \
    "{\"round\":3,\"games\":[{\"game\":78,\"color\":\"white\",\"opponent\":{\"id\":2,\"name\":"    \
    "\"<P> "                                                                                       \
    "2\"},\"opponent_number\":2,\"points\":1,\"forfeited\":true,\"moves\":null,\"z\":null}]}]}]}"

static void event(void **state)
{
    (void)state;
    EXPECT(
        "event",
        EVENT_HEAD
        "\"players_total\":300,\"limit\":2,\"after\":null,\"next\":\"2\",\"players\":[" PLAYER(
            1,
            "\"score\":6.5,\"score_games\":9,\"elo\":{\"estimate\":2401.4},"
            "\"performance\":{\"estimate\":2600."
            "2,"
            "\"interval\":{\"low\":2400,\"high\":2800},\"bounded\":false},\"expected\":{"
            "\"points\":4.24,\"games\":9},\"conformance\":{\"at_0\":{\"share\":0.571,\"interval\":{"
            "\"low\":0.52,\"high\":0.62}},\"at_30\":{\"share\":0.842,\"interval\":{\"low\":0.81,"
            "\"high\":0.87}}},\"bayes\":{"
            "\"estimate\":"
            "1.234,\"interval\":{\"low\":1.1,\"high\":1.4}},\"concordance\":{\"rating\":2401."
            "4,"
            "\"mm\":{\"actual\":0.55,\"projected\":0.531,\"z\":0.84},\"ad\":{\"z\":-2.34}}"
            "," IPR) "," PLAYER(2, "\"score\":9.5,\"score_games\":10,\"elo\":"
                                   "{\"estimate\":null},\"performance\":{"
                                   "\"estimate\":null,"
                                   "\"interval\":{\"low\":2500,\"high\":null},\"bounded\":"
                                   "true},\"unplayed\":{\"games\":1,\"score\":0.5,\"score_games\":"
                                   "1},\"expected\":{\"estimate\":null,\"reason\":\"no "
                                   "Elo\"},"
                                   "\"conformance\":{\"at_0\":null},\"bayes\":{\"estimate\":"
                                   "null},"
                                   "\"concordance\":{\"mm\":null,\"reason\":\"few\"}"
                                   "," REFUSAL) "],\"comparisons\":{\"compared\":1,"
                                                "\"beyond\":[{\"standard_errors\":2,"
                                                "\"expected\":0.0459,"
                                                "\"mm\":0,\"ad\":1}]}," SCREENING "}",
        "&lt;Cup&gt;, 1971", "45 games of 300 players, 44 analysed",
        "White won 20, Black 10, 14 drawn", "1 without a result", "2 rapid", "6.5 / 9",
        "9.5 / 10<abbr", "†", "2600", "2400 to 2800", "4.2", "above 2500", "2801<abbr",
        "2618 to 2985", "57.1%", "52.0% to 62.0%", "81.0% to 87.0%", "1.10 to 1.40", "+0.8", "−2.3",
        "53.1%", "1 performance compared", "0.046", "These are 2 of 300 players",
        "href=\"/events/9/cup?after=2#other-methods\"",
        "&lt;P&gt; 1 scored most, 1.5 of 2. Of 1 player &lt;tested&gt;.",
        "href=\"/events/9/cup/players/1\"", "+2.5", "Moves against play at the Elo of &lt;P&gt; 1",
        "Round 1, black against &lt;P&gt; 2: z +2.2, 30 moves", "href=\"/games/77\"",
        "Round 3, white against &lt;P&gt; 2: forfeited", "2b½", "2w+",
        "fewer than 30 analysed moves (1)", "12 moves");
    EXPECT("event",
           EVENT_HEAD
           "\"players_total\":null,\"limit\":40,\"after\":null,\"next\":null,\"players\":[],"
           "\"comparisons\":{\"compared\":0,\"beyond\":[]},\"reason\":\"no tournament\"}",
           "No ratings:</strong> no tournament");
}

/* A crosstable of players without an Elo has no column for it. */
static void event_without_elo(void **state)
{
    (void)state;
    char *html =
        render("event", EVENT_HEAD "\"players_total\":2,\"limit\":40,\"after\":null,\"next\":"
                                   "null,\"players\":[],\"comparisons\":{\"compared\":0,"
                                   "\"beyond\":[]},\"crosstable\":{\"rounds\":[1],"
                                   "\"numbered_by\":\"tags\",\"rows\":[{\"number\":1,"
                                   "\"place\":1,\"player\":{\"id\":1,\"name\":\"A\"},"
                                   "\"elo\":null,\"score\":1,\"rounds\":[]}]}}");

    assert_non_null(strstr(html, "id=\"crosstable-title\""));
    assert_null(strstr(html, ">Elo</th>"));
    free(html);
}

/* Games that are plainly not all of a match have no places. */
static void event_incomplete(void **state)
{
    (void)state;
    char *html = render(
        "event", EVENT_HEAD
        "\"players_total\":2,\"limit\":40,\"after\":null,\"next\":null,"
        "\"by_moves\":\"The moves say <nothing>.\",\"reconciled\":null,"
        "\"incomplete\":\"of 3 rounds in the tags 1 has no game\",\"players\":[" PLAYER(
            1, "\"score\":1.5,\"score_games\":2,\"elo\":{\"estimate\":2401.4},"
               "\"performance\":{\"estimate\":2600.2,\"interval\":{\"low\":2400,"
               "\"high\":2800}}") "],\"comparisons\":{\"compared\":0,\"beyond\":[]}," SCREENING
                                  "}");
    static const char *const in[] = {
        "Some games of this event are here (of 3 rounds in the tags 1 has no game): &lt;P&gt; 1 "
        "1.5 "
        "of 2. The moves say &lt;nothing&gt;.",
        "Crosstable",
        "2600",
    };

    for (size_t i = 0; i < sizeof in / sizeof *in; i++)
        if (strstr(html, in[i]) == NULL)
            fail_msg("lacks \"%s\"", in[i]);
    assert_null(strstr(html, "Most points"));
    assert_null(strstr(html, ">Place</th>"));
    free(html);
    html = render("event", EVENT_HEAD
                  "\"players_total\":12,\"limit\":40,\"after\":null,\"next\":null,"
                  "\"incomplete\":\"only games of X are stored\",\"only_players\":[{\"id\":5,"
                  "\"name\":\"X\"}],\"players\":[],"
                  "\"comparisons\":{\"compared\":0,\"beyond\":[]}," SCREENING "}");
    assert_non_null(strstr(html, "Some games of this event are here: only games of X are stored."));
    assert_null(strstr(html, "Points in these games")); /* of others */
    free(html);
}

/* A dossier of such games has no place, and says why. */
static void dossier_incomplete(void **state)
{
    static const char dossier[] =
        "{\"event\":{\"id\":5,\"name\":\"Cup\",\"year\":1990},\"player\":{\"id\":1,\"name\":\"P\"},"
        "\"games\":11,\"score\":6.5,\"place\":1,\"players\":12,\"only_player\":null,"
        "\"incomplete\":%s,\"rounds\":[],\"test\":{\"reason\":\"no Elo\"},\"answer\":\"Not "
        "tested.\"}";
    char text[sizeof dossier + 64];

    (void)state;
    snprintf(text, sizeof text, dossier, "\"only games of P and Q are stored\"");
    char *html = render("event_player", text);
    assert_non_null(strstr(html,
                           "11 games, 6.5 points. No place, as not all of this event is here: "
                           "only games of P and Q are stored."));
    assert_null(strstr(html, "of 12"));
    free(html);
    snprintf(text, sizeof text, dossier, "null");
    html = render("event_player", text);
    assert_non_null(strstr(html, "11 games, 6.5 points, place 1 of 12."));
    free(html);
}

/* Games of one player alone are a list, without crosstable, places and anybody's test. */
static void event_of_one_player(void **state)
{
    (void)state;
    char *html = render(
        "event", EVENT_HEAD
        "\"players_total\":3,\"only_player\":{\"id\":1,\"name\":\"<P> 1\"},\"limit\":40,"
        "\"after\":null,\"next\":null,\"players\":[" PLAYER(
            1, "\"score\":1.5,\"score_games\":2,\"elo\":{\"estimate\":2401.4},"
               "\"performance\":{\"estimate\":2600.2,\"interval\":{\"low\":2400,\"high\":2800}"
               "}") "," PLAYER(2, "\"score\":0.5,\"score_games\":1,\"elo\":{\"estimate\":2300},"
                                  "\"performance\":{\"estimate\":2401.2,\"interval\":{\"low\":"
                                  "1900,"
                                  "\"high\":2900}}") "],\"comparisons\":{\"compared\":0,"
                                                     "\"beyond\":[]}," SCREENING "}");
    static const char *const in[] = {
        "Only games of &lt;P&gt; 1 are here: 1.5 points of 2.",
        "Games of &lt;P&gt; 1",
        "½–½",
        "1–0, forfeited",
        "id=\"other-methods\"",
        "2600",
        "+2.5",
    };
    static const char *const out[] = { "Crosstable", "Place", "Not tested", "1900 to 2900", "Holm",
                                       "Corrected",  "2w+",   ">none<",     "of 3 players" };

    for (size_t i = 0; i < sizeof in / sizeof *in; i++)
        if (strstr(html, in[i]) == NULL)
            fail_msg("lacks \"%s\"", in[i]);
    for (size_t i = 0; i < sizeof out / sizeof *out; i++)
        if (strstr(html, out[i]) != NULL)
            fail_msg("has \"%s\"", out[i]);
    free(html);
}

static void upload(void **state)
{
    (void)state;
    EXPECT(
        "upload",
        "{\"id\":5,\"created\":\"2026-11-21T12:01:02Z\",\"source\":\"a.pgn\",\"judge\":"
        "\"standard\",\"games_read\":4,\"imported\":2,\"duplicate\":1,\"rejected\":1,"
        "\"queued\":1,\"running\":1,\"analysed\":0,\"failed\":0,\"turns_done\":1,"
        "\"turns_total\":4,\"done\":false,\"errors\":[{\"game\":1,\"line\":1664,\"column\":13,"
        "\"ply\":3,\"type\":\"illegal_move\",\"detail\":\"Ke3 is not legal\",\"white\":\"A\","
        "\"black\":null}],\"failures\":[{\"game_id\":1,\"white\":\"A\",\"black\":\"B\","
        "\"reason\":\"engine died\"}],\"players\":[{\"player\":{\"id\":7,\"name\":\"F\"},"
        "\"year\":null,\"games\":2}],\"duplicates\":[{\"game\":3,\"kind\":\"extends\",\"kept\":12,"
        "\"improved\":true,\"conflicts\":[\"result\",\"white_elo\"]}]}",
        "a longer version", "result, white elo", "data-events=\"/api/v1/uploads/5/events\"",
        "1,664", "2… (Black)", "Ke3 is not legal", "A – ?", "engine died",
        "data-count=\"analysed\"", "value=\"1\" max=\"4\"", "href=\"/players/7/f\"");
}

static void uploads(void **state)
{
    (void)state;
    EXPECT("uploads",
           "{\"uploads\":[{\"id\":5,\"created\":\"2026-11-21T12:01:02Z\",\"created_by\":\"ann\","
           "\"source\":\"<a>.pgn\",\"judge\":\"standard\",\"games_read\":1234,\"imported\":1230,"
           "\"duplicate\":3,\"rejected\":1,\"queued\":1,\"running\":1,\"analysed\":2,\"failed\":0,"
           "\"turns_done\":30,\"turns_total\":60,\"done\":false},{\"id\":4,\"created\":"
           "\"2026-11-20T12:01:02Z\",\"created_by\":null,\"source\":\"b.pgn\",\"judge\":null,"
           "\"games_read\":2,\"imported\":2,\"duplicate\":0,\"rejected\":0,\"queued\":0,"
           "\"running\":0,\"analysed\":0,\"failed\":0,\"turns_done\":0,\"turns_total\":0,"
           "\"done\":true}],\"next\":\"4\"}",
           "<title>Analyse my games", "href=\"/uploads/5\"", "&lt;a&gt;.pgn", "2026-11-21 12:01",
           "ann", "standard", "1,234", "1,230", "value=\"30\" max=\"60\"", "2 of 4", ">unknown<",
           ">not queued<", "none queued for this upload", "name=\"after\" value=\"4\"");
    EXPECT("uploads", "{\"finding\":\"None.\",\"uploads\":[],\"next\":null}", "<p>None.</p>",
           "action=\"/api/v1/uploads\"");
}

static void queue(void **state)
{
    (void)state;
    EXPECT(
        "queue",
        "{\"queue\":{\"ready\":1234,\"running\":1,\"paused\":3,\"failed\":2,\"remaining\":"
        "\"a minute\",\"judged_games\":9,\"judged_turns\":22220},\"running\":[{\"game_id\":4,"
        "\"white\":\"Tal\",\"black\":null,\"year\":1960,\"judge\":\"standard\",\"worker\":"
        "\"a:1\",\"turns_done\":5,\"turns_total\":0}],\"owners\":[],\"waiting\":[],\"uploads\":[{"
        "\"id\":7,\"source\":\"a.pgn\",\"created\":\"2026-11-21T12:01:02Z\",\"games\":4,"
        "\"white\":\"Tal, M\",\"black\":\"Botvinnik\",\"event\":\"<Cup>\",\"owner\":\"ann\","
        "\"owners\":2,\"judge\":\"quick\",\"priority\":1,\"ready\":0,\"running\":0,\"paused\":3,"
        "\"failed\":0}],\"failed\":[{\"game_id\":4,\"white\":\"A\",\"black\":\"B\",\"year\":null,"
        "\"judge\":\"quick\",\"reason\":null,\"attempts\":3}],\"workers\":[{\"name\":\"a:1\","
        "\"version\":\"1\",\"programs\":\"stockfish\",\"started\":\"2026-11-21T12:01:02Z\","
        "\"engines\":2,\"tablebases\":5,\"games\":4,\"turns\":1200,\"cached_share\":0.25,"
        "\"failures\":0,\"leases_lost\":0}],\"cache\":{\"turns\":1200,\"share\":0.25}}",
        "1,234", "22,220", "Tal – ?, 1960", "value=\"5\" max=\"1\"",
        "Tal, M – Botvinnik and 3 more, &lt;Cup&gt;", "for ann and 1 more", "2026-11-21 12:01",
        "/queue?action=resume&amp;upload=7&amp;judge=quick", "value=\"2\"", "no reason recorded",
        "5 men", "25.0%", "data-busy");
    EXPECT(
        "queue",
        "{\"finding\":\"No game "
        "waits.\",\"queue\":{\"ready\":0,\"running\":0,\"paused\":0,\"failed\":0,\"remaining\":"
        "null},"
        "\"running\":[],\"owners\":[],\"waiting\":[],\"uploads\":[],\"failed\":[],\"workers\":[],"
        "\"cache\":{\"turns\":0,\"share\":null}}",
        "<p class=\"verdict\" id=\"finding\">No game waits.</p>", "<section id=\"running\">",
        "<section id=\"workers\">");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(game),
        cmocka_unit_test(game_report),
        cmocka_unit_test(events),
        cmocka_unit_test(event),
        cmocka_unit_test(event_incomplete),
        cmocka_unit_test(dossier_incomplete),
        cmocka_unit_test(event_of_one_player),
        cmocka_unit_test(event_without_elo),
        cmocka_unit_test(upload),
        cmocka_unit_test(uploads),
        cmocka_unit_test(queue),
    };

    return cmocka_run_group_tests(tests, load, unload);
}
