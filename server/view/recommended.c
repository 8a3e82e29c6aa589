/* The recommended predictor, in the same words on all pages. */
#include "view/recommended.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "view/document.h"
#include "view/json.h"

static const char *recommended_games(double n, struct ipr_arena *mem)
{
    char text[IPR_NUMBER_TEXT];

    ipr_number_count(n, text);
    return ipr_arena_printf(mem, "%s games", text);
}

static const json_t *recommended_verdict(const json_t *document, bool elo)
{
    return json_object_get(json_object_get(document, "recommended"),
                           elo ? "with_elo" : "without_elo");
}

static const json_t *recommended_table(const json_t *document, const char *name)
{
    return ipr_json_first(json_object_get(document, "tables"), "name", name);
}

/* True if Elo predicted better than each predictor from the moves alone: every interval of the
 * differences excludes 0. */
static bool recommended_elo_is_better(const json_t *document)
{
    const json_t *const rows = json_object_get(recommended_table(document, "any"), "predictors");
    const json_t *row;
    size_t i, n = 0;

    json_array_foreach(rows, i, row) {
        const char *const name = ipr_json_text_at(row, "predictor");

        if (strcmp(name, "even") == 0 || strncmp(name, "elo", 3) == 0)
            continue;
        if (!(ipr_json_at(row, "interval.low", -INFINITY) > 0))
            return false;
        n++;
    }
    return n > 0;
}

/* "Elo predicted 7,348 games better than any predictor from the moves", of `name`. */
static const char *recommended_with_elo(const json_t *document, const char *name,
                                        struct ipr_arena *mem)
{
    const json_t *const verdict = recommended_verdict(document, true);
    const char *const games = recommended_games(ipr_json_at(verdict, "games", 0), mem);

    if (ipr_json_true_at(verdict, "better_than_base"))
        return ipr_arena_printf(mem, "%s predicted %s better than Elo", name, games);
    return recommended_elo_is_better(document)
               ? ipr_arena_printf(mem, "%s predicted %s better than any predictor from the moves",
                                  name, games)
               : ipr_arena_printf(mem, "no predictor from the moves predicted %s better", games);
}

static const char *recommended_without_elo(const json_t *document, struct ipr_arena *mem)
{
    const json_t *const verdict = recommended_verdict(document, false);

    return ipr_json_true_at(verdict, "better_than_base")
               ? ipr_arena_printf(mem,
                                  "without an Elo believe %s: it predicted %s better than even "
                                  "chances",
                                  ipr_json_text_at(verdict, "title"),
                                  recommended_games(ipr_json_at(verdict, "games", 0), mem))
               : "without an Elo none was shown to be better than even chances";
}

const char *ipr_recommended_brief(const json_t *document, struct ipr_arena *mem)
{
    const json_t *const verdict = recommended_verdict(document, true);
    const bool other = ipr_json_true_at(verdict, "better_than_base");

    return ipr_arena_printf(mem, "To predict results, believe %s where both players have %s",
                            ipr_json_text_at(verdict, "title"), other ? "an Elo" : "one");
}

void ipr_recommended_add_text(const json_t *document, struct ipr_arena *mem)
{
    json_object_set_new(json_object_get(document, "recommended"), "text",
                        json_sprintf("%s: %s; %s.", ipr_recommended_brief(document, mem),
                                     recommended_with_elo(document, "it", mem),
                                     recommended_without_elo(document, mem)));
}

const char *ipr_recommended_why(const json_t *document, bool elo, struct ipr_arena *mem)
{
    const json_t *const verdict = recommended_verdict(document, elo);
    const char *const title = ipr_json_text_at(verdict, "title");

    if (elo) {
        const char *const why = recommended_with_elo(document, title, mem);

        return ipr_arena_printf(mem, "%s%s.", *why == 'n' ? "N" : "", why + (*why == 'n'));
    }
    return ipr_json_true_at(verdict, "better_than_base")
               ? ipr_arena_printf(mem,
                                  "Without an Elo of both, %s predicted %s better than even "
                                  "chances.",
                                  title, recommended_games(ipr_json_at(verdict, "games", 0), mem))
               : "Without an Elo of both, no predictor was shown to be better than even chances.";
}

const char *ipr_recommended_test(const json_t *document, const char *predictor,
                                 struct ipr_arena *mem)
{
    const json_t *const table = recommended_table(document, "champions");
    const json_t *const row =
        ipr_json_first(json_object_get(table, "predictors"), "predictor",
                       strcmp(predictor, "ipr") == 0 ? "mean_loss" : predictor);
    const char *const games = recommended_games(ipr_json_at(table, "scored", 0), mem);

    if (strcmp(predictor, "elo") == 0)
        return recommended_with_elo(document, "it", mem);
    if (row == NULL)
        return NULL;
    return ipr_json_at(row, "interval.high", INFINITY) < 0
               ? ipr_arena_printf(mem, "it predicted %s between champions better than even chances",
                                  games)
               : ipr_arena_printf(mem,
                                  "in %s between champions it was not shown to predict results "
                                  "better than even chances",
                                  games);
}

enum ipr_code ipr_recommended(const struct ipr_view *v, json_t **out, struct ipr_err *err)
{
    json_t *document = NULL;
    const enum ipr_code rc = ipr_view_document(v, "predictors.json", &document, err);

    if (rc == IPR_OK) {
        ipr_recommended_add_text(document, v->mem);
        *out = json_incref(json_object_get(document, "recommended"));
    }
    json_decref(document);
    return rc;
}
