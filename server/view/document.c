#include "view/document.h"

enum ipr_code ipr_view_document(const struct ipr_view *v, const char *name, json_t **out,
                                struct ipr_err *err)
{
    const char *path = ipr_arena_printf(v->mem, "%s/static/%s", v->config->home, name);
    json_error_t why;
    json_t *document = json_load_file(path, 0, &why);

    if (!json_is_object(document)) {
        json_decref(document);
        return ipr_err_set(err, IPR_EIO, "%s: %s", path, why.text);
    }
    *out = document;
    return IPR_OK;
}

enum ipr_code ipr_view_shipped(const struct ipr_view *v, const char *name, json_t **out,
                               struct ipr_err *err)
{
    const enum ipr_code rc = ipr_view_document(v, name, out, err);

    if (rc == IPR_OK)
        json_object_del(*out, "words");
    return rc;
}

enum ipr_code ipr_recommended(const struct ipr_view *v, json_t **out, struct ipr_err *err)
{
    json_t *document = NULL;
    const enum ipr_code rc = ipr_view_document(v, "predictors.json", &document, err);

    if (rc == IPR_OK)
        *out = json_incref(json_object_get(document, "recommended"));
    json_decref(document);
    return rc;
}
