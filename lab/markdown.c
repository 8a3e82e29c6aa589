/* The document's tables in Markdown. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/bands.h"
#include "lab/planted.h"

#define MARKDOWN_COLUMNS 17

enum markdown_form { TEXT, FIXED, SIGNED, PERCENT };

struct markdown_column {
    const char *head, *path;
    enum markdown_form form;
    int digits;
    const char *error; /* what follows after +-; NULL: nothing */
    int error_digits;
};

struct markdown_table {
    const char *rows, *title;
    struct markdown_column column[MARKDOWN_COLUMNS];
};

static const struct markdown_table markdown_tables[] = {
    { "estimators",
      "Standard deviation at 1,000 moves, Elo",
      { { "estimator", "estimator", TEXT, 0, NULL, 0 },
        { "core-seconds a move", "core_seconds", FIXED, 3, NULL, 0 },
        { "all", "sd", FIXED, 0, "standard_error", 1 },
        { "1600-1900", "bands.0.sd", FIXED, 0, NULL, 0 },
        { "1900-2200", "bands.1.sd", FIXED, 0, NULL, 0 },
        { "2200-2500", "bands.2.sd", FIXED, 0, NULL, 0 },
        { "2500-2800", "bands.3.sd", FIXED, 0, NULL, 0 },
        { "2200-2800, own slope", "sd_2200", FIXED, 0, NULL, 0 },
        { "chain / this", "ratio", FIXED, 3, "ratio_standard_error", 3 } } },
    { "sets",
      "Estimates from sets of games: MAE, RMSE and width are the posterior's",
      { { "estimator", "estimator", TEXT, 0, NULL, 0 },
        { "games", "games", FIXED, 0, NULL, 0 },
        { "of one", "of", TEXT, 0, NULL, 0 },
        { "sets", "sets", FIXED, 0, NULL, 0 },
        { "MAE", "mae", FIXED, 0, NULL, 0 },
        { "MAE of the mean", "mae_of_mean", FIXED, 0, NULL, 0 },
        { "RMSE", "rmse", FIXED, 0, NULL, 0 },
        { "RMSE of the mean", "rmse_of_mean", FIXED, 0, NULL, 0 },
        { "RMSE less by", "less", PERCENT, 1, NULL, 0 },
        { "raw interval holds", "raw_coverage", PERCENT, 1, NULL, 0 },
        { "posterior interval holds", "coverage", PERCENT, 1, NULL, 0 },
        { "width", "width", FIXED, 0, NULL, 0 } } },
    { "one_game",
      "One game, with more than the moves of the side",
      { { "from", "evidence", TEXT, 0, NULL, 0 },
        { "sides", "sides", FIXED, 0, NULL, 0 },
        { "MAE", "mae", FIXED, 0, NULL, 0 },
        { "MAE of the mean", "mae_of_mean", FIXED, 0, NULL, 0 },
        { "RMSE", "rmse", FIXED, 0, NULL, 0 },
        { "RMSE of the mean", "rmse_of_mean", FIXED, 0, NULL, 0 },
        { "RMSE less by", "less", PERCENT, 1, NULL, 0 } } },
    { "curve",
      "Curve",
      { { "Elo", "elo", FIXED, 0, NULL, 0 },
        { "mean score", "score", FIXED, 4, NULL, 0 },
        { "its error", "score_error", FIXED, 4, NULL, 0 },
        { "in Elo", "standard_error", FIXED, 0, NULL, 0 } } },
    { "era",
      "Play at equal Elo by year",
      { { "year", "year", FIXED, 0, NULL, 0 },
        { "at 1800, Elo", "at.0.era", SIGNED, 0, "at.0.standard_error", 0 },
        { "at 2200", "at.1.era", SIGNED, 0, "at.1.standard_error", 0 },
        { "at 2600", "at.2.era", SIGNED, 0, "at.2.standard_error", 0 } } },
    { "spread",
      "Standard deviation of one game, Elo",
      { { "moves", "moves", FIXED, 0, NULL, 0 },
        { "game", "game", FIXED, 0, NULL, 0 },
        { "event", "event", FIXED, 0, NULL, 0 },
        { "player", "player", FIXED, 0, NULL, 0 },
        { "together", "together", FIXED, 0, NULL, 0 },
        { "factor", "factor", FIXED, 2, NULL, 0 } } },
    { "bias",
      "Residuals from the curve, by Elo",
      { { "from", "elo.low", FIXED, 0, NULL, 0 },
        { "to", "elo.high", FIXED, 0, NULL, 0 },
        { "sides", "sides", FIXED, 0, NULL, 0 },
        { "moves", "moves", FIXED, 0, NULL, 0 },
        { "residual, Elo", "bias", SIGNED, 0, "standard_error", 0 },
        { "the curve's error", "curve_error", FIXED, 0, NULL, 0 },
        { "chi2", "chi2", FIXED, 1, NULL, 0 } } },
    { "years",
      "Residuals from the curve, by year",
      { { "from", "years.low", FIXED, 0, NULL, 0 },
        { "to", "years.high", FIXED, 0, NULL, 0 },
        { "sides", "sides", FIXED, 0, NULL, 0 },
        { "moves", "moves", FIXED, 0, NULL, 0 },
        { "residual, Elo", "bias", SIGNED, 0, "standard_error", 0 },
        { "chi2", "chi2", FIXED, 1, NULL, 0 },
        { "with the era", "with_era", SIGNED, 0, "with_era_error", 0 },
        { "chi2", "with_era_chi2", FIXED, 1, NULL, 0 } } },
    { "levels",
      "Two games in common: root of the covariance of their residuals, Elo",
      { { "two games of", "of", TEXT, 0, NULL, 0 },
        { "pairs", "pairs", FIXED, 0, NULL, 0 },
        { "covariance", "covariance", FIXED, 0, "standard_error", 0 },
        { "root", "sd", SIGNED, 0, NULL, 0 } } },
    { "effects",
      "What else changes the score at equal Elo",
      { { "effect", "effect", TEXT, 0, NULL, 0 },
        { "Elo, clusters by event", "elo", SIGNED, 1, "by_event", 1 },
        { "error, clusters by game", "by_game", FIXED, 1, NULL, 0 } } },
    { "null_sets",
      "Sets as strong as they should be",
      { { "moves", "moves", FIXED, 0, NULL, 0 },
        { "of one", "of", TEXT, 0, NULL, 0 },
        { "from", "years.low", FIXED, 0, NULL, 0 },
        { "to", "years.high", FIXED, 0, NULL, 0 },
        { "Elo from", "elo.low", FIXED, 0, NULL, 0 },
        { "Elo to", "elo.high", FIXED, 0, NULL, 0 },
        { "sets", "sets", FIXED, 0, NULL, 0 },
        { "mean z", "mean", SIGNED, 2, NULL, 0 },
        { "z < -4", "below_4", PERCENT, 2, NULL, 0 },
        { "< -3", "below_3", PERCENT, 2, NULL, 0 },
        { "< -2", "below_2", PERCENT, 2, NULL, 0 },
        { "> 2", "above_2", PERCENT, 2, NULL, 0 },
        { "> 3", "above_3", PERCENT, 2, NULL, 0 },
        { "> 4", "above_4", PERCENT, 2, NULL, 0 },
        { "beyond 2", "beyond_2", PERCENT, 2, NULL, 0 },
        { "lowest", "lowest", SIGNED, 2, NULL, 0 },
        { "highest", "highest", SIGNED, 2, NULL, 0 } } },
    { "two_sides",
      "The two sides of a game: correlation of their residuals, and mean residuals by result",
      { { "games", "games", FIXED, 0, NULL, 0 },
        { "correlation", "correlation", FIXED, 2, NULL, 0 },
        { "lost", "lost", SIGNED, 0, NULL, 0 },
        { "drawn", "drawn", SIGNED, 0, NULL, 0 },
        { "won", "won", SIGNED, 0, NULL, 0 } } },
    { "results",
      "What one game says of Elo if the opponent's is known",
      { { "from", "evidence", TEXT, 0, NULL, 0 },
        { "sd, Elo", "sd", FIXED, 0, NULL, 0 },
        { "worth results", "results", FIXED, 2, NULL, 0 } } },
};

static const struct markdown_table markdown_searches = {
    NULL,
    "Precision and cost of engine settings",
    { { "lines", "lines", FIXED, 0, NULL, 0 },
      { "depth", "depth", FIXED, 0, NULL, 0 },
      { "sd, Elo", "sd", FIXED, 0, "standard_error", 0 },
      { "ratio to 2 lines, depth 10", "ratio", FIXED, 2, "ratio_standard_error", 2 },
      { "nodes per move", "nodes", FIXED, 0, NULL, 0 },
      { "variance x nodes, relative", "cost", FIXED, 2, NULL, 0 } }
};

/* Value of a path such as "bands.0.sd"; NULL where there is none. */
static const json_t *markdown_at(const json_t *row, const char *path)
{
    while (row != NULL && *path != '\0') {
        const size_t n = strcspn(path, ".");
        char key[32];

        snprintf(key, sizeof key, "%.*s", (int)n, path);
        row = json_is_array(row) ? json_array_get(row, strtoul(key, NULL, 10))
                                 : json_object_get(row, key);
        path += n + (path[n] == '.');
    }
    return row;
}

static void markdown_cell(const struct markdown_column *c, const json_t *row)
{
    const json_t *value = markdown_at(row, c->path);
    const double x = json_number_value(value);

    if (json_is_string(value))
        printf(" %s", json_string_value(value));
    else if (json_is_number(value))
        printf(c->form == SIGNED ? " %+.*f" : " %.*f", c->digits, c->form == PERCENT ? 100 * x : x);
    if (c->form == PERCENT && json_is_number(value))
        printf(" %%");
    if (c->error != NULL)
        printf(" ± %.*f", c->error_digits, json_number_value(markdown_at(row, c->error)));
    printf(" |");
}

static void markdown_row(const struct markdown_table *t, const json_t *row)
{
    putchar('|');
    for (const struct markdown_column *c = t->column;
         c < t->column + MARKDOWN_COLUMNS && c->head != NULL; c++)
        markdown_cell(c, row);
    putchar('\n');
}

static void markdown_table(const struct markdown_table *t, const json_t *rows)
{
    const json_t *row;
    size_t i;

    printf("\n## %s\n\n|", t->title);
    for (const struct markdown_column *c = t->column;
         c < t->column + MARKDOWN_COLUMNS && c->head != NULL; c++)
        printf(" %s |", c->head);
    printf("\n|");
    for (const struct markdown_column *c = t->column;
         c < t->column + MARKDOWN_COLUMNS && c->head != NULL; c++)
        printf(c->form == TEXT ? " --- |" : " ---: |");
    putchar('\n');
    if (json_is_object(rows))
        markdown_row(t, rows);
    json_array_foreach(rows, i, row)
        markdown_row(t, row);
}

void bench_markdown(const json_t *document)
{
    const json_t *part, *same = json_object_get(document, "same_games"),
                        *searches = json_object_get(document, "searches");
    size_t i;

    json_array_foreach(json_object_get(document, "parts"), i, part) {
        printf("%s# Part `%s`: %.0f sides, %.0f moves that count; prior N(%.0f, %.0f)\n",
               i == 0 ? "" : "\n", json_string_value(json_object_get(part, "part")),
               json_number_value(markdown_at(part, "sides")),
               json_number_value(markdown_at(part, "moves")),
               json_number_value(markdown_at(part, "prior.mean")),
               json_number_value(markdown_at(part, "prior.sd")));
        for (size_t k = 0; k < sizeof markdown_tables / sizeof *markdown_tables; k++)
            if (json_object_get(part, markdown_tables[k].rows) != NULL)
                markdown_table(&markdown_tables[k], json_object_get(part, markdown_tables[k].rows));
    }
    if (same != NULL) {
        printf("\n# Every line of the engine: %.0f sides, %.0f moves that count\n",
               json_number_value(markdown_at(same, "sides")),
               json_number_value(markdown_at(same, "moves")));
        markdown_table(&markdown_tables[0], markdown_at(same, "estimators"));
        markdown_table(&markdown_tables[1], markdown_at(same, "sets"));
    }
    if (searches != NULL)
        markdown_table(&markdown_searches, json_object_get(searches, "settings"));
    puts("\n# By level, all sides that the curve is fitted to\n");
    bench_bands_markdown(json_object_get(document, "by_level"));
    if (json_object_get(document, "planted") != NULL)
        bench_planted_markdown(json_object_get(document, "planted"));
}
