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
#include "resource/resource.h"

struct ipr_spelling; /* core/spelling.h */

/*
 * One json_t per resource: the API serialises it, the page renders it, so the two cannot disagree.
 * Names are the API's: snake_case field terms; scores and shares are fractions in [0, 1]; an
 * interval is {"low", "high", "level": 0.95}; a figure that cannot be given is null with "reason"
 * beside it. Every function: new reference in *out (untouched on error), reads within the leased
 * connection, IPR_ENOTFOUND / IPR_EPARSE (bad parameter, type "bad_parameter") / IPR_EDB as they
 * apply.
 */
struct ipr_view {
    const struct ipr_config *config;
    struct ipr_db *db;
    struct ipr_db_pool *keep;            /* where computed figures are kept; NULL: by db */
    struct ipr_arena *mem;               /* of the request */
    const struct ipr_spelling *spelling; /* NULL: no spelling file is configured */
    const char *calibration;             /* name of the requested one; NULL: the configured one */
    unsigned time_classes; /* set of IPR_TIME_BIT (and IPR_TIME_OWN) of the games used; 0: the
                              default ones, classical and unknown */
    bool for_its_time;     /* strengths against the field of their years; else as played */
    bool snapshot;         /* within ipr_db_snapshot_begin: computed figures are not cached */
    bool stream;           /* a page of a stream: all figures are computed, whatever their number */
    struct ipr_buf *lines; /* NULL, or the destination of rows that the database returns as JSON, a
                              line each, instead of the list: they are sent unchanged */
    bool pgn;              /* these are games as PGN */
    const struct ipr_pseudonyms *pseudonyms; /* of all pages of a stream; NULL: drawn for each */
    const void **chosen; /* NULL, or where a view puts the parameters that it has answered, where
                            they are not those requested: cursors and links are of them */
    const char *upload_key, *owner_key; /* that a private upload is answered with; or NULL */
    bool uploads_private, uploads_open; /* what is uploaded by who asks; without a token */
    const atomic_bool *stop;            /* of a long computation: whether to stop; NULL: never */
};

/** True if a long computation may go on; called between its steps. */
static inline bool ipr_view_go_on(const struct ipr_view *v)
{
    return v->stop == NULL || !atomic_load(v->stop);
}

/** Minimum number of counted turns of a rating. */
#define IPR_VIEW_MIN_TURNS 150
/** From this number of turns on a player-year is "active" (A §4.4). */
#define IPR_VIEW_ACTIVE_TURNS 500

/* One for each resource of server/resources.def that has a view. Players are persons: for any
 * identity of a person the answer is that of the person, with the id of the root. */
#include "views.h"

/** Only the counts of an upload and the progress of its analysis, for the event stream. */
IPR_CHECK enum ipr_code ipr_view_progress(const struct ipr_view *v, int64_t id, json_t **out,
                                          struct ipr_err *err);

/** Which of a player's games are rated. */
struct ipr_view_scope {
    int from, to;     /* calendar years, both included; 0: open, and both 0: all games, undated ones
                         too */
    int32_t event;    /* id; 0: any */
    unsigned colours; /* bit 0 as White, bit 1 as Black; 0: both */
    const int *opponents; /* [n_opponents] ids of players, the games against them; none: any */
    size_t n_opponents;
    int64_t upload; /* id, the games of it; 0: any */
};

/** A year after all others: an open end. */
#define IPR_VIEW_YEAR_MAX 9999

/** Maximum number of games whose moves one answer reads. */
#define IPR_EVIDENCE_GAMES 4000

/** Sets `profile` of `out` to the answer of /profile, unless there are more `games` than it
 * reads. */
IPR_CHECK enum ipr_code ipr_view_add_profile(const struct ipr_view *v,
                                             const struct ipr_profile_request *p, double games,
                                             json_t *out, struct ipr_err *err);

/** Adds what stands out among a player's games of which the moves are stored, for the page. */
IPR_CHECK enum ipr_code ipr_view_add_notable(const struct ipr_view *v,
                                             const struct ipr_player_request *p, json_t *out,
                                             struct ipr_err *err);

/** The parameters year, from, to as a range; 0 where an end is open. */
void ipr_view_years(int year, int first, int last, int *from, int *to);

/** {"white", "black"}: the player-years of the form of a head to head, each with its "text" and the
 * "query" that names it; of a name and a year that were typed, and that fit not just one, those
 * that were "found", or the "reason" why there is none. */
IPR_CHECK enum ipr_code ipr_view_compare_sides(const struct ipr_view *v,
                                               const struct ipr_prediction_request *p, json_t **out,
                                               struct ipr_err *err);

/** The names that addresses have: of a person, and of an event as it is read with its year, 0 where
 * none is known. IPR_ENOTFOUND. */
IPR_CHECK enum ipr_code ipr_view_player_name(const struct ipr_view *v, int32_t id,
                                             const char **name, struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_view_event_name(const struct ipr_view *v, int32_t id, const char **name,
                                            int *year, struct ipr_err *err);

/** A game as PGN, appended to `out`: see ipr_game_pgn. */
IPR_CHECK enum ipr_code ipr_view_game_pgn(const struct ipr_view *v,
                                          const struct ipr_game_request *p, struct ipr_buf *out,
                                          struct ipr_err *err);

struct ipr_view_side {
    int32_t player;
    int year;
};

struct ipr_db_selection;
/** Replaces its person by the root of that identity; IPR_ENOTFOUND, naming it, when the person,
 * upload, game or judge does not exist. */
IPR_CHECK enum ipr_code ipr_view_selection(const struct ipr_view *v, struct ipr_db_selection *s,
                                           struct ipr_err *err);
/** Progress of a person's games or, with no person selected, of the whole queue; for event streams.
 */
IPR_CHECK enum ipr_code ipr_view_judging(const struct ipr_view *v, const struct ipr_db_selection *s,
                                         json_t **out, struct ipr_err *err);
/** Figures of queue, workers and database in the Prometheus text format, appended. */
IPR_CHECK enum ipr_code ipr_view_metrics(const struct ipr_view *v, struct ipr_buf *out,
                                         struct ipr_err *err);

/** Stores a record (calibration.h) under its name; *fresh false when an identical one is stored.
 * IPR_ECONFLICT "calibration_exists" when another one has the name. */
IPR_CHECK enum ipr_code ipr_view_calibration_add(const struct ipr_view *v, const json_t *record,
                                                 bool *fresh, struct ipr_err *err);

/** Data of a page in addition to the resource: the geometry of the drawing of every interval,
 * formatted numbers, links. Adds members to the resource under "page" only. */
IPR_CHECK enum ipr_code ipr_view_page(const char *template_name, json_t *resource,
                                      struct ipr_err *err);

#endif
