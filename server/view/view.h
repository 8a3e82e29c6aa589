#ifndef IPR_VIEW_VIEW_H
#define IPR_VIEW_VIEW_H

#include <stdatomic.h>

#include <jansson.h>

#include "base/error.h"
#include "base/mem.h"
#include "core/config.h"
#include "db/db.h"
#include "pgn/time_class.h"
#include "pgn/writer.h"

/*
 * One json_t a resource: the API serialises it, the page renders it, so the two cannot
 * disagree. Names are the API's: snake_case field terms; scores and shares are fractions in
 * [0, 1]; an interval is {"low", "high", "level": 0.95}; a figure that cannot be given is null
 * with "reason" beside it. Every function: new reference in *out (untouched on error), reads
 * within the leased connection, IPR_ENOTFOUND / IPR_EPARSE (bad parameter, type
 * "bad_parameter") / IPR_EDB as they apply.
 */
struct ipr_view {
    const struct ipr_config *config;
    struct ipr_db *db;
    struct ipr_arena *mem;   /* of the request */
    const char *calibration; /* asked for by its name; NULL: the configured one */
    unsigned time_classes;   /* set of IPR_TIME_BIT that figures rest on; 0: the default ones,
                                classical and unknown */
    const char *include;     /* ratings computed only when asked for, as a list; NULL: none */
    bool snapshot;           /* within ipr_db_snapshot_begin: nothing that is computed is kept */
    const atomic_bool *stop; /* of a long computation: whether to give it up; NULL: never */
};

/** Whether a long computation may go on; asked between its steps. */
static inline bool ipr_view_go_on(const struct ipr_view *v)
{
    return v->stop == NULL || !atomic_load(v->stop);
}

/** "classical,unknown" or "all" as a set; NULL is 0. IPR_EPARSE for anything else. */
IPR_CHECK enum ipr_code ipr_view_times_read(const char *text, unsigned *out, struct ipr_err *err);

/** Fewer counted turns than this and a rating is refused. */
#define IPR_VIEW_MIN_TURNS 150
/** From here on a player-year is "active" (A §4.4). */
#define IPR_VIEW_ACTIVE_TURNS 500

/** For "/": queue, running games, latest uploads, rated player-years, judges, calibration. */
IPR_CHECK enum ipr_code ipr_view_dashboard(const struct ipr_view *v, json_t **out,
                                           struct ipr_err *err);

/** Counts games_read, imported, duplicate, rejected, judged, queued, running, analysed, failed;
 * how far judging is; errors[]; failures[]; players[]; "done": whether anything is still to come.
 */
IPR_CHECK enum ipr_code ipr_view_upload(const struct ipr_view *v, int64_t id, json_t **out,
                                        struct ipr_err *err);
/** The counts alone, for the event stream. */
IPR_CHECK enum ipr_code ipr_view_upload_duplicates(const struct ipr_view *v, int64_t id,
                                                   int32_t after, int limit, json_t **out,
                                                   struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_view_progress(const struct ipr_view *v, int64_t id, json_t **out,
                                          struct ipr_err *err);

/* Players are persons: whichever of a person's identities is asked for, the answer is the person's,
 * under the id of the root. */

/** {"players":[…], "next": cursor or null}. `search` any spelling, NULL for all. */
IPR_CHECK enum ipr_code ipr_view_players(const struct ipr_view *v, const char *search,
                                         const char *after, int limit, const char *judge,
                                         json_t **out, struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_view_player(const struct ipr_view *v, int32_t id, const char *judge,
                                        json_t **out, struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_view_player_years(const struct ipr_view *v, int32_t id,
                                              const char *judge, json_t **out, struct ipr_err *err);

/** Which of a player's games are rated. */
struct ipr_view_scope {
    int from, to;     /* calendar years, both included; 0: open, and both 0: all games, undated ones
                         too */
    int32_t event;    /* id; 0: any */
    unsigned colours; /* bit 0 as White, bit 1 as Black; 0: both */
};

/** Ratings of a player in a scope. judge: a name, or the id that the list of judges gives; NULL:
 * the configured one. A name is the judge that the calibration belongs to, else the one of that
 * name that has judged most. IPR_EPARSE when `from` is after `to` or there is no such event;
 * IPR_ENOTFOUND when the player has no game there. */
IPR_CHECK enum ipr_code ipr_view_ratings_of(const struct ipr_view *v, int32_t player,
                                            const struct ipr_view_scope *scope, const char *judge,
                                            json_t **out, struct ipr_err *err);

/** The same of one year, or of the whole career when year is 0. */
IPR_CHECK static inline enum ipr_code ipr_view_ratings(const struct ipr_view *v, int32_t player,
                                                       int year, const char *judge, json_t **out,
                                                       struct ipr_err *err)
{
    const struct ipr_view_scope scope = { .from = year, .to = year };

    return ipr_view_ratings_of(v, player, &scope, judge, out, err);
}

/** A year that is after all others: an open end. */
#define IPR_VIEW_YEAR_MAX 9999

/** Rating lists, performance, expected against actual score of a player in the years from `from` to
 * `to`, from 1 or to IPR_VIEW_YEAR_MAX where an end is open; both 0: all games, undated ones too.
 */
IPR_CHECK enum ipr_code ipr_view_elo(const struct ipr_view *v, int32_t player, int from, int to,
                                     json_t **out, struct ipr_err *err);

/** A game with its tags, moves, states, notes and a judge's turns. */
IPR_CHECK enum ipr_code ipr_view_game(const struct ipr_view *v, int64_t id, const char *judge,
                                      json_t **out, struct ipr_err *err);
/** The same as PGN, appended to `out`: see ipr_game_pgn. */
IPR_CHECK enum ipr_code ipr_view_game_pgn(const struct ipr_view *v, int64_t id,
                                          enum ipr_pgn_form form, bool evals, const char *judge,
                                          struct ipr_buf *out, struct ipr_err *err);

/** {"events": […], "next": cursor or null}, newest first. `search`: words of the name, each from
 * its beginning on; NULL for all. year 0: any. */
IPR_CHECK enum ipr_code ipr_view_events(const struct ipr_view *v, const char *search, int year,
                                        const char *after, int limit, const char *judge,
                                        json_t **out, struct ipr_err *err);
/** Report of a tournament; its players from a cursor on. limit 0: the default. */
IPR_CHECK enum ipr_code ipr_view_event(const struct ipr_view *v, int32_t id, const char *after,
                                       int limit, const char *judge, json_t **out,
                                       struct ipr_err *err);

struct ipr_view_side {
    int32_t player;
    int year;
};
/** What was asked for beyond the members of a call: query parameters by name. */
struct ipr_view_options {
    const char *(*value)(const void *of, const char *name); /* NULL: not given */
    const void *of;
};
/** Head to head. method: "markov", "covariance", "conformance", "ipr", "elo" or "all"; options:
 * their parameters (view/prediction/params.h), NULL for none. */
IPR_CHECK enum ipr_code ipr_view_prediction(const struct ipr_view *v, struct ipr_view_side white,
                                            struct ipr_view_side black, const char *method,
                                            const struct ipr_view_options *options,
                                            const char *judge, json_t **out, struct ipr_err *err);

/** For the page "compare": {"choices": {"player_years": […]}, "prediction": all methods, or null
 * when either side is NULL}. */
IPR_CHECK enum ipr_code ipr_view_compare(const struct ipr_view *v,
                                         const struct ipr_view_side *white,
                                         const struct ipr_view_side *black, const char *judge,
                                         json_t **out, struct ipr_err *err);

/** Pairs of players that could be one person, from a cursor on. */
IPR_CHECK enum ipr_code ipr_view_doubtful(const struct ipr_view *v, const char *after, int limit,
                                          json_t **out, struct ipr_err *err);
/** What was decided about players, latest first. */
IPR_CHECK enum ipr_code ipr_view_identity_changes(const struct ipr_view *v, const char *after,
                                                  int limit, json_t **out, struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_view_identity_change(const struct ipr_view *v, int64_t id, json_t **out,
                                                 struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_view_doubtful_page(const struct ipr_view *v, const char *after,
                                               json_t **out, struct ipr_err *err);

IPR_CHECK enum ipr_code ipr_view_judges(const struct ipr_view *v, json_t **out,
                                        struct ipr_err *err);
/** One of them by name; IPR_ENOTFOUND. */
IPR_CHECK enum ipr_code ipr_view_judge(const struct ipr_view *v, const char *name, json_t **out,
                                       struct ipr_err *err);

struct ipr_db_selection;
/** Its person by the root of the identity it names; IPR_ENOTFOUND, naming it, when that or the
 * upload, game or judge is not there. */
IPR_CHECK enum ipr_code ipr_view_selection(const struct ipr_view *v, struct ipr_db_selection *s,
                                           struct ipr_err *err);
/** How far a selection is, and its jobs in a state ("ready", "running", "paused", "failed"; NULL:
 * any) after an id. */
IPR_CHECK enum ipr_code ipr_view_analyses(const struct ipr_view *v,
                                          const struct ipr_db_selection *s, const char *state,
                                          int64_t after, int limit, json_t **out,
                                          struct ipr_err *err);
/** How far the games of a person are, or with nobody selected the whole queue; for event streams.
 */
IPR_CHECK enum ipr_code ipr_view_judging(const struct ipr_view *v, const struct ipr_db_selection *s,
                                         json_t **out, struct ipr_err *err);
/** The queue's state of a player's games (of a year unless it is 0), and how long the rest takes.
 */
IPR_CHECK enum ipr_code ipr_view_player_queue(const struct ipr_view *v, int32_t player, int year,
                                              const char *judge, json_t **out, struct ipr_err *err);
/** For a page: sets that as "queue" of a resource, and "state" of each row of its "game_list". */
IPR_CHECK enum ipr_code ipr_view_add_player_queue(const struct ipr_view *v, int32_t player,
                                                  int year, const char *judge, json_t *resource,
                                                  struct ipr_err *err);
/** The whole queue: running, waiting, failed; uploads in it, workers, the cache. */
IPR_CHECK enum ipr_code ipr_view_queue(const struct ipr_view *v, json_t **out, struct ipr_err *err);
/** Figures of queue, workers and database in the Prometheus text format, appended. */
IPR_CHECK enum ipr_code ipr_view_metrics(const struct ipr_view *v, struct ipr_buf *out,
                                         struct ipr_err *err);

IPR_CHECK enum ipr_code ipr_view_calibrations(const struct ipr_view *v, json_t **out,
                                              struct ipr_err *err);
/** `whole`: with the turns of the reference set and the transitions of the pool, which are most of
 * a record. */
IPR_CHECK enum ipr_code ipr_view_calibration(const struct ipr_view *v, const char *name, bool whole,
                                             json_t **out, struct ipr_err *err);

/** Stores a record (calibration.h) under its name; *fresh false when the very same is there.
 * IPR_ECONFLICT "calibration_exists" when the name is another's. */
IPR_CHECK enum ipr_code ipr_view_calibration_add(const struct ipr_view *v, const json_t *record,
                                                 bool *fresh, struct ipr_err *err);

/** What a page shows beyond the resource: for every interval on it the geometry of its drawing,
 * formatted numbers, links. Adds members to the resource under "page" only. */
IPR_CHECK enum ipr_code ipr_view_page(const char *template_name, json_t *resource,
                                      struct ipr_err *err);

#endif
