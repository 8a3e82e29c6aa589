#ifndef IPR_HTTP_FORMAT_H
#define IPR_HTTP_FORMAT_H

#include "http/base/request.h"

/* Which representation of a resource a client wants: by the suffix of the address, else by Accept.
 */

/** "players.csv": removes the suffix of a format from a path of the API. IPR_FORMAT_ANY: it has
 * none.
 */
enum ipr_format ipr_format_suffix(struct ipr_str *path);

/** The format of the answer to a read of the API: the suffix's, else the first acceptable one of
 * those that the resource has, JSON before the others. 406 if none is acceptable. */
struct ipr_problem ipr_format_choose(struct ipr_req *req);

/** True if a resource has this form. */
bool ipr_format_exists(const struct ipr_resource *r, enum ipr_format f);

/** ".csv". */
const char *ipr_format_ending(enum ipr_format f);
/** "text/csv". */
const char *ipr_format_media(enum ipr_format f);
/** The same as in Content-Type. */
const char *ipr_format_type(enum ipr_format f);

#endif
