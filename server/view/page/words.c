#include "view/page/format.h"

#include <stddef.h>
#include <string.h>

#include "registry.h"
#include "view/page/page.h"

/* server/predictors.def, and half the points for everybody; all other words are in
 * templates/sentences/words.txt. */
static const struct {
    const char *name;
    struct ipr_word words[24];
} of_predictors[] = {
    { "predictors", { IPR_PREDICTOR_LABEL, { "even", "Always 50%" } } },
    { "predictors_from",
      { IPR_PREDICTOR_FROM, { "even", "nothing: half the points for everybody" } } },
    { "predictor_titles", { IPR_PREDICTOR_TITLE } },
    { "predictor_texts", { IPR_PREDICTOR_TEXT } },
};

const struct ipr_word *ipr_words(const char *dictionary)
{
    for (size_t i = 0; i < sizeof of_predictors / sizeof *of_predictors; i++)
        if (strcmp(of_predictors[i].name, dictionary) == 0)
            return of_predictors[i].words;
    return ipr_sentence_words(dictionary);
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

void ipr_page_put(json_t *to, enum ipr_shape_id id, const void *own)
{
    json_object_update_new(to, ipr_shape_page_json(id, own));
}
