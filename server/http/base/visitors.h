#ifndef IPR_HTTP_VISITORS_H
#define IPR_HTTP_VISITORS_H

#include "http/base/request.h"

/* Who uploads without a token where the operator allows it (INTRINSIC_PUBLIC_UPLOADS_MB): always
 * privately, for the default engine setting, and within a quota of bytes a day (UTC), of which one
 * client has a tenth. Counted in memory, by process. */

struct ipr_visitors *ipr_visitors_new(int64_t bytes);
void ipr_visitors_free(struct ipr_visitors **v);

/** True if an upload needs no token; where reading needs one it does, too. */
bool ipr_visitors_may(const struct ipr_req *req);

/** The name of a client, whose games take turns with those of others: "visitor-5f2c01", another
 * name in another process. */
const char *ipr_visitors_name(const struct ipr_visitors *v, const struct in6_addr *client,
                              struct ipr_arena *mem);

/** Takes bytes of the day's quota; false: it has not so many. */
bool ipr_visitors_take(struct ipr_visitors *v, const struct in6_addr *client, int64_t bytes);

#endif
