#ifndef IPR_HTTP_ROUTES_H
#define IPR_HTTP_ROUTES_H

#include "http/base/request.h"

/* Handlers, by the names in server/resources.def. */
#include "handlers.h"

/** Every address of the service in the order of server/resources.def, ended by a row without a
 * method; a request is answered by the one that matches with the fewest {…}, the first of such. */
extern const struct ipr_address *const ipr_addresses;

/** How many {…} its path has, and the name of number i of them. */
size_t ipr_route_pieces(const struct ipr_address *a);
const char *ipr_route_piece(struct ipr_req *req, const struct ipr_address *a, size_t i);

/** The route of a request, setting req->route, resource, ids, and params unless a body has some of
 * them; status 0 when there is one. 404, 405 with Allow, 400 for a malformed or unknown parameter.
 */
struct ipr_problem ipr_route_find(struct ipr_req *req);

/** The name that follows an id in the address of a page, within req->target; p NULL: there is none.
 */
struct ipr_str ipr_route_name(const struct ipr_req *req);

/** True if its address is open to pages of other sites though it is beside /api. */
bool ipr_route_is_open(const struct ipr_req *req);

/** Answers OPTIONS: 204 with Allow; reads are allowed from any origin. */
enum MHD_Result ipr_route_options(struct ipr_req *req);

/** Answers a request at the end of its body, by its handler or its view. */
enum MHD_Result ipr_http_answer(struct ipr_req *req);

/** By its view, as JSON or page: for handlers that fall back on it. */
enum MHD_Result ipr_http_resource(struct ipr_req *req);

/** The same for a page with a name in its address: where the name is another one, a permanent
 * redirect to the right one (http/answer/named.c). */
enum MHD_Result ipr_http_named(struct ipr_req *req);

/** A report, computed as a job (view/report/report.h). */
enum MHD_Result ipr_http_report(struct ipr_req *req);

#endif
