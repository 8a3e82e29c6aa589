/* Documents that ship: what `make validation` computes, and the glossary. */
#include "view/calibration/findings.h"
#include "view/document.h"
#include "view/view.h"

enum ipr_code ipr_view_validation(const struct ipr_view *v, const struct ipr_validation_request *p,
                                  json_t **out, struct ipr_err *err)
{
    struct ipr_answer_validation read;
    json_t *document = NULL;

    (void)p;
    const enum ipr_code rc = ipr_view_document(v, "validation.json", &document, err);
    if (rc != IPR_OK)
        return rc;
    ipr_shape_read(IPR_SHAPE_VALIDATION, document, v->mem, &read);
    const char *const finding = ipr_validation_finding(&read, v->mem);
    const char *const tested = ipr_validation_tested(&read, v->mem);
    json_object_set_new(document, "finding", finding != NULL ? json_string(finding) : json_null());
    json_object_set_new(document, "tested", tested != NULL ? json_string(tested) : json_null());
    *out = document;
    return IPR_OK;
}

enum ipr_code ipr_view_glossary(const struct ipr_view *v, const struct ipr_glossary_request *p,
                                json_t **out, struct ipr_err *err)
{
    (void)p;
    return ipr_view_document(v, "glossary.json", out, err);
}
