#include "view/page/format.h"

#include <stddef.h>
#include <string.h>

#include "registry.h"
#include "view/page/page.h"

#define NAME_MAX_WORDS 24

static const struct {
    const char *name;
    struct ipr_word words[NAME_MAX_WORDS];
} dictionaries[] = {
    /* Why a move is not counted (model/window.h). */
    { "reasons",
      { { "before_first_move", "before the first move counted" },
        { "unjudged", "not analysed" },
        { "forced", "only one legal move" },
        { "repeated", "repeated position" },
        { "decided", "advantage beyond 3.00 pawns" },
        { "not_among_top", "move not among the engine's lines" } } },
    /* Remarks on a rating: its members that are true. */
    { "remarks",
      { { "extrapolated", "outside the calibrated range" },
        { "calibration_mismatch", "calibration of another engine setting" },
        { "at_bound", "depends on where the prior ends" } } },
    /* server/predictors.def, and half the points for everybody. */
    { "predictors", { IPR_PREDICTOR_LABEL, { "even", "Always 50%" } } },
    { "predictors_from",
      { IPR_PREDICTOR_FROM, { "even", "nothing: half the points for everybody" } } },
    { "predictor_titles", { IPR_PREDICTOR_TITLE } },
    { "predictor_texts", { IPR_PREDICTOR_TEXT } },
    /* Players that the benchmark is of. */
    { "validated",
      { { "cross_validated", "cross-validated players" },
        { "blind", "blind players" },
        { "all", "all players" } } },
    { "elo_sources",
      { { "game tags", "Elo in the game tags" },
        { "rating list", "Elo on rating lists" },
        { "both", "Elo in game tags and on rating lists" } } },
    { "strengths",
      { { "elo", "Elo" },
        { "rating", "the strength by the moves" },
        { "results_strength", "the strength from results" } } },
    { "strength_names",
      { { "elo", "Chances from Elo" },
        { "rating", "Chances from the strength by the moves" },
        { "results_strength", "Chances from the strength from results" } } },
    /* For a player. */
    { "results",
      { { "won", "won" },
        { "drew", "drawn" },
        { "lost", "lost" },
        { "unfinished", "without a result" } } },
    { "fits",
      { { "moments", "Moments" },
        { "percentile", "Percentiles" },
        { "mle", "Maximum likelihood" },
        { "rmle", "Maximum likelihood with random moves" } } },
    /* For a game in the queue. */
    { "states",
      { { "ready", "waiting" },
        { "queued", "waiting" },
        { "running", "being analysed" },
        { "paused", "paused" },
        { "failed", "failed" },
        { "judged", "analysed" } } },
    /* For an upload: who sent it, unless it is the name of a token. */
    { "writers", { { "import", "command line" }, { "local", "local, without token" } } },
    /* How far the import of an upload is. */
    { "imports",
      { { "waiting", "waiting for the import" },
        { "importing", "being imported" },
        { "stored", "imported" },
        { "failed", "failed" },
        { "cancelled", "being deleted" } } },
    /* For a part of the queue. */
    { "progress",
      { { "ready", "waiting" },
        { "running", "being analysed" },
        { "paused", "paused" },
        { "failed", "failed" } } },
    /* How a position ends a game, or may. */
    { "endings",
      { { "checkmate", "checkmate" },
        { "stalemate", "stalemate" },
        { "insufficient_material", "drawn: insufficient material" },
        { "fivefold_repetition", "drawn: fivefold repetition" },
        { "seventy_five_moves", "drawn: 75 moves without capture or pawn move" },
        { "threefold_repetition", "threefold repetition: a draw may be claimed" },
        { "fifty_moves", "50 moves without capture or pawn move: a draw may be claimed" } } },
    { "phases",
      { { "opening", "Opening, to move 15" },
        { "middlegame", "Middlegame" },
        { "endgame", "Endgame" } } },
    { "tablebases",
      { { "win", "won" },
        { "cursed_win", "won but for the fifty-move rule" },
        { "draw", "drawn" },
        { "blessed_loss", "lost but for the fifty-move rule" },
        { "loss", "lost" } } },
    { "duplicates",
      { { "identical", "the same game" },
        { "contained", "the beginning of a longer version" },
        { "extends", "a longer version: the kept game took its moves" },
        { "spelling", "the same game, names spelled differently" } } },
    { "similarity",
      { { "same_name", "the same name, with and without FIDE id" },
        { "title", "the same name but for a title or what is in brackets" },
        { "signs", "the same letters but for accents, umlauts and signs" },
        { "order", "the same words in another order" },
        { "initials", "the same surname, initials that fit" },
        { "prefix", "the same surname, given names shortened or left out" } } },
    { "indicators",
      { { "stability", "Stability" },
        { "jump_value", "Jump value" },
        { "jump_depth", "Jump depth" },
        { "jump_value_depth", "Jump value × depth" },
        { "sullivan", "Sullivan" },
        { "depth_time", "Depth against time" } } },
    /* Forms of the loss. */
    { "losses",
      { { "weighted", "weighted" }, { "raw", "raw" }, { "guid_bratko", "raw, up to 2 pawns" } } },
    { "time_controls",
      { { "standard", "Standard: classical and unknown" },
        { "classical", "Classical" },
        { "unknown", "Unknown" },
        { "rapid", "Rapid" },
        { "blitz", "Blitz" },
        { "bullet", "Bullet" },
        { "correspondence", "Correspondence" } } },
    { "reports",
      { { "royale", "Battle royale of single years" },
        { "comparisons", "Comparisons" },
        { "conformance", "Conformance and results" },
        { "complexity", "Complexity and errors" },
        { "covariance", "Covariance predictor and results" },
        { "score_curve", "Score by evaluation" } } },
    { "report_texts",
      { { "royale",
          "Each year by its own games against every other, after the papers: another method than "
          "that of the strengths." },
        { "comparisons", "Predictions beside the scores of matches, and their mean errors." },
        { "conformance", "Correlation of the share of good moves in a game with its result." },
        { "complexity",
          "Correlation of errors with positions that are hard by the engine's own search." },
        { "covariance",
          "Correlation of the losses of a game with its result, by the predictor's two numbers." },
        { "score_curve",
          "Points scored from an evaluation, by the rating of the player to move." } } },
    { "report_params",
      { { "active", "Minimum moves of an active year" },
        { "method", "Predictor" },
        { "forgetting", "Covariance: weight of a year against the next" },
        { "least", "Minimum games of a match" },
        { "year", "Player-years of" },
        { "without_match", "Without the match's own games" },
        { "limit", "Maximum number of matches" },
        { "loss", "Form of the loss" },
        { "games", "Maximum number of games, newest first" },
        { "players", "Players with most moves" },
        { "band", "Width of a rating band" } } },
    { "choices",
      { { "true", "yes" },
        { "false", "no" },
        { "auto", "automatic" },
        { "event", "the year of the event" },
        { "before", "the year before" },
        { "recommended", "recommended" },
        IPR_PREDICTOR_LABEL,
        { "weighted", "weighted" },
        { "guid_bratko", "raw, up to 2 pawns (Guid and Bratko)" } } },
    /* Why a game is left out of a report. */
    { "left_out",
      { { "unknown_result", "without a known result" },
        { "turns_of_one_side_only", "with moves of one side only" } } },
    /* How the time class of a game is known. */
    { "time_sources",
      { { "unknown", "" },
        { "tag", ", from the tags" },
        { "inferred", ", from the name of the event" } } },
    { "colours",
      { { "w", "White" },
        { "b", "Black" },
        { "white", "with White" },
        { "black", "with Black" },
        { "either", "with either colour" } } },
};

const struct ipr_word *ipr_words(const char *dictionary)
{
    for (size_t i = 0; i < sizeof dictionaries / sizeof *dictionaries; i++)
        if (strcmp(dictionaries[i].name, dictionary) == 0)
            return dictionaries[i].words;
    return NULL;
}

const char *ipr_words_text(const struct ipr_word *words, const char *key)
{
    for (const struct ipr_word *w = words; w->key != NULL; w++)
        if (strcmp(w->key, key) == 0)
            return w->text;
    return key;
}

json_t *ipr_page_format(const char *fmt, ...)
{
    char text[512];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    json_t *out = json_string(text);
    for (size_t n = strlen(text); out == NULL && n > 0; out = json_string(text))
        text[--n] = '\0'; /* a name was cut within a character */
    return out;
}

bool ipr_page_is_sparse(size_t filled, size_t rows)
{
    return filled * 20 < rows || filled == 0;
}
