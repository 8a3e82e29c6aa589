#ifndef IPR_HTTP_ROUTES_H
#define IPR_HTTP_ROUTES_H

#include "http/request.h"

/** Every address of the service, ended by a row without a method. */
extern const struct ipr_route ipr_routes[];

/** The route of a request, setting req->route, ids and parameters; status 0 when there is one.
 * 404, 405 with Allow, 400 for a malformed or unknown parameter. */
struct ipr_problem ipr_route_find(struct ipr_req *req);

/** Answers OPTIONS: 204 with Allow; reads may be made from anywhere. */
enum MHD_Result ipr_route_options(struct ipr_req *req);

/* Resources, one file each. */

enum ipr_code ipr_res_dashboard(struct ipr_req *, const struct ipr_view *, json_t **,
                                struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_players(struct ipr_req *, const struct ipr_view *, json_t **,
                              struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_player(struct ipr_req *, const struct ipr_view *, json_t **,
                             struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_player_queue(struct ipr_req *, const struct ipr_view *, json_t **,
                                   struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_player_years(struct ipr_req *, const struct ipr_view *, json_t **,
                                   struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_ratings(struct ipr_req *, const struct ipr_view *, json_t **,
                              struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_player_year(struct ipr_req *, const struct ipr_view *, json_t **,
                                  struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_events(struct ipr_req *, const struct ipr_view *, json_t **,
                             struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_event(struct ipr_req *, const struct ipr_view *, json_t **,
                            struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_game(struct ipr_req *, const struct ipr_view *, json_t **,
                           struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_doubtful(struct ipr_req *, const struct ipr_view *, json_t **,
                               struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_doubtful_page(struct ipr_req *, const struct ipr_view *, json_t **,
                                    struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_identity_changes(struct ipr_req *, const struct ipr_view *, json_t **,
                                       struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_identity_change(struct ipr_req *, const struct ipr_view *, json_t **,
                                      struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_elo(struct ipr_req *, const struct ipr_view *, json_t **,
                          struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_prediction(struct ipr_req *, const struct ipr_view *, json_t **,
                                 struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_compare(struct ipr_req *, const struct ipr_view *, json_t **,
                              struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_judges(struct ipr_req *, const struct ipr_view *, json_t **,
                             struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_judge(struct ipr_req *, const struct ipr_view *, json_t **,
                            struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_analyses(struct ipr_req *, const struct ipr_view *, json_t **,
                               struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_queue(struct ipr_req *, const struct ipr_view *, json_t **,
                            struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_calibrations(struct ipr_req *, const struct ipr_view *, json_t **,
                                   struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_calibration(struct ipr_req *, const struct ipr_view *, json_t **,
                                  struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_reports(struct ipr_req *, const struct ipr_view *, json_t **,
                              struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_upload(struct ipr_req *, const struct ipr_view *, json_t **,
                             struct ipr_err *) IPR_CHECK;
enum ipr_code ipr_res_upload_duplicates(struct ipr_req *, const struct ipr_view *, json_t **,
                                        struct ipr_err *) IPR_CHECK;

/** Leases a connection, asks the route's resource, answers as JSON or page. */
enum MHD_Result ipr_http_resource(struct ipr_req *req);
/** A report of the kind that ends the address, computed as a job: see view/report/report.h. Where
 * the route names a page, it is that of the kind. */
enum MHD_Result ipr_http_report(struct ipr_req *req);
enum MHD_Result ipr_http_merge(struct ipr_req *req);
enum MHD_Result ipr_http_split(struct ipr_req *req);
enum MHD_Result ipr_http_distinct(struct ipr_req *req);
enum MHD_Result ipr_http_identity_undo(struct ipr_req *req);
enum MHD_Result ipr_http_upload_post(struct ipr_req *req);
enum MHD_Result ipr_http_upload_events(struct ipr_req *req);
/** A game as JSON, or as PGN where the address ends in ".pgn" or the client asks for it. */
enum MHD_Result ipr_http_game(struct ipr_req *req);
enum MHD_Result ipr_http_player_events(struct ipr_req *req);
enum MHD_Result ipr_http_queue_events(struct ipr_req *req);
enum MHD_Result ipr_http_judges_post(struct ipr_req *req);
enum MHD_Result ipr_http_calibrations_post(struct ipr_req *req);
enum MHD_Result ipr_http_analyses_post(struct ipr_req *req);
enum MHD_Result ipr_http_analyses_patch(struct ipr_req *req);
enum MHD_Result ipr_http_analyses_delete(struct ipr_req *req);
enum MHD_Result ipr_http_analyses_form(struct ipr_req *req);
enum MHD_Result ipr_http_health(struct ipr_req *req);
enum MHD_Result ipr_http_metrics(struct ipr_req *req);
enum MHD_Result ipr_http_ready(struct ipr_req *req);
enum MHD_Result ipr_http_file(struct ipr_req *req);
enum MHD_Result ipr_http_problem(struct ipr_req *req);

#endif
