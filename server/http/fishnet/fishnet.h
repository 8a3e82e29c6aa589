#ifndef IPR_HTTP_FISHNET_H
#define IPR_HTTP_FISHNET_H

#include "http/base/request.h"

/*
 * The fishnet protocol, for unmodified clients (1.18, and 2.1 to 2.14): their endpoint is
 * http://HOST/fishnet. Keys are made by `intrinsic token create --fishnet`, and sent as a Bearer
 * token or within the body.
 *
 * Bodies are read with any Content-Type, since some clients send none. An analysis is spooled, but
 * only while the lease in its address is held. At 20 lines and depth 10 it has 7.6 kB a position
 * (measured), so 2.3 MB for 300 half-moves; lines grow with the depth: at depth 20 it is four times
 * that. Other bodies have a few hundred bytes.
 */
#define IPR_FISHNET_ANALYSIS_MAX ((int64_t)64 << 20)

/** Checks the headers of a request with a body, and prepares to receive it. */
struct ipr_problem ipr_fishnet_begin(struct ipr_req *req);

/** An address for the log: without the key of /fishnet/key/{key}. */
const char *ipr_fishnet_shown(const char *target);

enum MHD_Result ipr_http_fishnet_acquire(struct ipr_req *req);
enum MHD_Result ipr_http_fishnet_analysis(struct ipr_req *req);
enum MHD_Result ipr_http_fishnet_move(struct ipr_req *req);
enum MHD_Result ipr_http_fishnet_abort(struct ipr_req *req);
enum MHD_Result ipr_http_fishnet_key(struct ipr_req *req);
enum MHD_Result ipr_http_fishnet_status(struct ipr_req *req);
/** The same of the whole queue, for all workers. */
enum MHD_Result ipr_http_status(struct ipr_req *req);

#endif
