/* The recommended predictor, in one sentence for all pages. */
#include "view/recommended.h"

#include "base/number.h"
#include "view/document.h"
#include "view/json.h"

static const char *recommended_games(const json_t *verdict, struct ipr_arena *mem)
{
    char text[IPR_NUMBER_TEXT];

    ipr_number_count(ipr_json_at(verdict, "games", 0), text);
    return ipr_arena_printf(mem, "%s games", text);
}

static const char *recommended_with_elo(const json_t *verdict, struct ipr_arena *mem)
{
    const char *const title = ipr_json_text_at(verdict, "title");
    const char *const games = recommended_games(verdict, mem);

    return ipr_json_true_at(verdict, "better_than_base")
               ? ipr_arena_printf(mem,
                                  "The recommended predictor is %s where both players have an "
                                  "Elo, as it predicted %s better than Elo",
                                  title, games)
               : ipr_arena_printf(mem,
                                  "The recommended predictor is %s where both players have one, "
                                  "as no predictor from the moves predicted %s better",
                                  title, games);
}

static const char *recommended_without_elo(const json_t *verdict, struct ipr_arena *mem)
{
    return ipr_json_true_at(verdict, "better_than_base")
               ? ipr_arena_printf(mem,
                                  "without an Elo it is %s, as it predicted %s better than even "
                                  "chances",
                                  ipr_json_text_at(verdict, "title"),
                                  recommended_games(verdict, mem))
               : "without an Elo none is recommended, as none was shown to predict better than "
                 "even chances";
}

void ipr_recommended_add_text(json_t *recommended, struct ipr_arena *mem)
{
    const char *const with = recommended_with_elo(json_object_get(recommended, "with_elo"), mem);
    const char *const without =
        recommended_without_elo(json_object_get(recommended, "without_elo"), mem);

    json_object_set_new(recommended, "text", json_sprintf("%s; %s.", with, without));
}

enum ipr_code ipr_recommended(const struct ipr_view *v, json_t **out, struct ipr_err *err)
{
    json_t *document = NULL;
    const enum ipr_code rc = ipr_view_document(v, "predictors.json", &document, err);

    if (rc == IPR_OK) {
        *out = json_incref(json_object_get(document, "recommended"));
        ipr_recommended_add_text(*out, v->mem);
    }
    json_decref(document);
    return rc;
}
