/* What a player-year's page shows when asked for it: other fits, resampled games, depths seen. */
#include "view/page/page.h"

#include <math.h>

#include "view/json.h"

static json_t *fit_rows(const json_t *fits)
{
    static const char *const names[][2] = { { "moments", "Moments" },
                                            { "percentile", "Percentiles" },
                                            { "mle", "Maximum likelihood" },
                                            { "rmle", "The same, with random moves" } };
    json_t *out = json_array();

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const json_t *fit = json_object_get(fits, names[i][0]);

        if (!json_is_object(fit))
            continue;
        json_array_append_new(
            out, json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "name", names[i][1], "s",
                           ipr_page_fixed(ipr_json_at(fit, "s", NAN), 5), "c",
                           ipr_page_fixed(ipr_json_at(fit, "c", NAN), 5), "ipr",
                           ipr_page_whole(ipr_json_at(fit, "estimate", NAN)), "interval",
                           ipr_page_interval(json_object_get(fit, "interval")), "remark",
                           ipr_page_remark(fit), "reason",
                           ipr_json_text(ipr_json_text_at(fit, "reason"))));
    }
    return out;
}

/** A standard error by resampling beside the one by formula, or why there is none. */
static json_t *bootstrap_text(const json_t *ipr)
{
    const json_t *b = json_object_get(ipr, "game_bootstrap");

    if (!json_is_object(b))
        return json_null();
    if (!json_is_number(json_object_get(b, "standard_error")))
        return ipr_page_format("Games are not resampled: %s.", ipr_json_text_at(b, "reason"));
    return ipr_page_format("Resampling the games %.0f times gives a standard error of %.0f; the "
                           "formula above gives %.0f.",
                           ipr_json_at(b, "replicates", 0.0), ipr_json_at(b, "standard_error", 0.0),
                           ipr_json_at(ipr, "standard_error", 0.0));
}

static json_t *depth_rows(const json_t *weights)
{
    json_t *out = json_array();
    const json_t *w;
    size_t i;

    json_array_foreach(weights, i, w)
        json_array_append_new(
            out,
            json_pack("{s:o, s:o, s:o}", "depth", ipr_page_whole(ipr_json_at(w, "depth", NAN)),
                      "weight", ipr_page_share(ipr_json_at(w, "weight", NAN)), "standard_error",
                      ipr_page_share(ipr_json_at(w, "standard_error", NAN))));
    return out;
}

void ipr_page_more_fits(const json_t *resource, json_t *page)
{
    const json_t *ipr = json_object_get(resource, "ipr");
    const json_t *depth = json_object_get(resource, "depth_weighted");
    json_t *fits = fit_rows(json_object_get(ipr, "fits"));
    json_t *weights = depth_rows(json_object_get(depth, "weights"));

    json_object_set_new(page, "any_fits", json_boolean(json_array_size(fits) > 0));
    json_object_set_new(page, "fits", fits);
    json_object_set_new(page, "bootstrap", bootstrap_text(ipr));
    json_object_set_new(page, "depth", json_boolean(json_is_object(depth)));
    json_object_set_new(page, "mean_depth", ipr_page_fixed(ipr_json_at(depth, "estimate", NAN), 2));
    json_object_set_new(page, "mean_depth_interval",
                        ipr_page_interval_fixed(json_object_get(depth, "interval"), 2));
    json_object_set_new(page, "depth_rests_on", ipr_page_rests_on(depth));
    json_object_set_new(page, "depth_reason", ipr_json_text(ipr_json_text_at(depth, "reason")));
    json_object_set_new(page, "weights", weights);
}
