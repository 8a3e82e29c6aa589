/* Documents that ship: what `make validation` computes, and the glossary. */
#include "view/document.h"
#include "view/view.h"

enum ipr_code ipr_view_validation(const struct ipr_view *v, const struct ipr_validation_request *p,
                                  json_t **out, struct ipr_err *err)
{
    (void)p;
    return ipr_view_document(v, "validation.json", out, err);
}

enum ipr_code ipr_view_glossary(const struct ipr_view *v, const struct ipr_glossary_request *p,
                                json_t **out, struct ipr_err *err)
{
    (void)p;
    return ipr_view_document(v, "glossary.json", out, err);
}
