#ifndef IPR_HTTP_DESCRIPTION_H
#define IPR_HTTP_DESCRIPTION_H

#include "base/mem.h"
#include "base/str.h"

/* Descriptions of pages, which search engines and previews of links show. */

#define IPR_DESCRIPTION_MAX 300

/** Adds to a page in HTML, after its <title>, "description" and "og:description": the text of its
 * first paragraph of class "verdict", or else of class "lead", whole sentences of at most
 * IPR_DESCRIPTION_MAX bytes, or the beginning of a longer one. Nothing where a page has neither, or
 * no <title>. */
void ipr_description_add(struct ipr_buf *html, struct ipr_arena *mem);

#endif
