/* How well the rating does: the document that `make validation` computes and that ships. */
#include "view/json.h"
#include "view/view.h"

enum ipr_code ipr_view_validation(const struct ipr_view *v, const struct ipr_validation_request *p,
                                  json_t **out, struct ipr_err *err)
{
    const char *path = ipr_arena_printf(v->mem, "%s/static/validation.json", v->config->home);
    json_error_t why;
    json_t *document = json_load_file(path, 0, &why);

    (void)p;
    if (!json_is_object(document)) {
        json_decref(document);
        return ipr_err_set(err, IPR_EIO, "%s: %s", path, why.text);
    }
    *out = document;
    return IPR_OK;
}
