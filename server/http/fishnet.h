#ifndef IPR_HTTP_FISHNET_H
#define IPR_HTTP_FISHNET_H

#include "http/request.h"

/*
 * The fishnet protocol, so that unmodified clients (1.18, and 2.1 to 2.14) can judge for this
 * service: their endpoint is http://HOST/fishnet. Keys are made by `intrinsic token create
 * --fishnet`, and come as a Bearer token or within the body.
 *
 * Bodies are read whatever their Content-Type is, since some clients send none. An analysis is
 * spooled, and only while somebody holds the lease its address names. At 20 lines and depth 10 it
 * has 7.6 kB a position (measured), so 2.3 MB for 300 half-moves; lines grow with the depth, so at
 * depth 20 it is four times that. Other bodies are a few hundred bytes.
 */
#define IPR_FISHNET_ANALYSIS_MAX ((int64_t)64 << 20)

/** Judges the headers of a request with a body, and makes room for it. */
struct ipr_problem ipr_fishnet_begin(struct ipr_req *req);

/** What of an address may be logged: of /fishnet/key/{key} not the key. */
const char *ipr_fishnet_shown(const char *target);

enum MHD_Result ipr_http_fishnet_acquire(struct ipr_req *req);
enum MHD_Result ipr_http_fishnet_analysis(struct ipr_req *req);
enum MHD_Result ipr_http_fishnet_move(struct ipr_req *req);
enum MHD_Result ipr_http_fishnet_abort(struct ipr_req *req);
enum MHD_Result ipr_http_fishnet_key(struct ipr_req *req);
enum MHD_Result ipr_http_fishnet_status(struct ipr_req *req);
/** The same of the whole queue, whoever works at it. */
enum MHD_Result ipr_http_status(struct ipr_req *req);

#endif
