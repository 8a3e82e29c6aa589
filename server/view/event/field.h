#ifndef IPR_VIEW_EVENT_FIELD_H
#define IPR_VIEW_EVENT_FIELD_H

#include "db/tournaments.h"
#include "view/context.h"
#include "view/rating/rate.h"

/* The players of an event with their games: what its report, crosstable, screening and dossiers are
 * made of. */

/** One player's half of a game. */
struct ipr_event_side {
    const struct ipr_db_player_side *of;
    const struct ipr_elo_source *own; /* the player's Elo */
    struct ipr_answer_event_game
        game;  /* without the opponent's number; `moves` below 0: not analysed */
    int round; /* of ipr_event_field.rounds */
    int64_t score, information;
    struct ipr_strength_mix mix;
};

struct ipr_event_entry {
    struct ipr_db_tournament_player player;
    const struct ipr_elo_game *elo;     /* [player.n_sides] */
    struct ipr_figure_elo *results;     /* of all games, judged or not */
    double score, performance;          /* of these; performance NaN: not known */
    struct ipr_db_strength strength;    /* of analysed moves */
    struct ipr_db_strength evals;       /* of evaluations in files, which are not tested */
    const struct ipr_db_results *rated; /* [n_rated] */
    size_t n_rated, judged, turns;
    size_t place;                         /* players with equal scores share one */
    struct ipr_event_side *sides;         /* [player.n_sides] */
    struct ipr_answer_screening_row test; /* of the moves; with a reason there is none */
};

struct ipr_event_field {
    struct ipr_event_entry *all; /* [n] by score */
    size_t n;
    const struct ipr_event_entry *only; /* plays in every game, of three players or more; NULL */
    int *rounds;                        /* [n_rounds] ascending numbers */
    size_t n_rounds;
    size_t games_analysed;           /* with a side by the engine setting of the rating */
    bool tagged;                     /* by the tags; else games are numbered by date */
    struct ipr_event_entry **tested; /* [n_tested] by z, highest first */
    size_t n_tested;
    const struct ipr_pool *pool; /* of the games with moves that count */
};

/** Moves of a test, and of the z of one game. */
#define IPR_EVENT_MOVES       30
#define IPR_EVENT_ROUND_MOVES 10

/** Largest field that is shown as a crosstable with z by round. */
#define IPR_EVENT_TABLE 300

/** "Fischer" of "Fischer, Robert J"; the whole name if another player has the same surname. */
const char *ipr_event_name(const struct ipr_event_field *f, const struct ipr_event_entry *e,
                           struct ipr_arena *mem);

/**
 * Sets sentences about the event:
 *
 * - `by_moves`: who was better by the ratings of these moves alone. Of two players by the normal
 *   distribution of the difference, in the words of a head to head (view/prediction/verdict.h), of
 *   a field the first and how many intervals overlap with that of the first.
 *
 * - `reconciled`: why a player can be above the Elo in the test and below it in the rating
 *
 * NULL where there is nothing to say.
 */
void ipr_event_answers(const struct ipr_view_context *c, const struct ipr_event_field *f,
                       struct ipr_answer_event_report *out);

/** Tells whether the games stored are plainly not all of the event (part.c has the rule). */
struct ipr_event_part {
    const char *why;                   /* NULL: they may be all */
    const struct ipr_event_entry **of; /* [n] by points: whose games alone are stored; 0: others' */
    size_t n;
};

struct ipr_event_part ipr_event_part_of(const struct ipr_event_field *f, struct ipr_arena *mem);

/** Finds how much of an event is stored: whose games alone, or why they are not all. The latter
 * only where no game is left out because of its time control. */
void ipr_event_stored(const struct ipr_view_context *c, const struct ipr_db_tournament_games *t,
                      const struct ipr_event_field *f, struct ipr_answer_event_stored *out);

/** Reads the heading of an event. */
IPR_CHECK enum ipr_code ipr_event_get(const struct ipr_view_context *c, int32_t event,
                                      struct ipr_db_tournament_games *t,
                                      struct ipr_answer_event *out, int64_t *with_moves,
                                      struct ipr_err *err);

/** The test of a player in words. */
const char *ipr_event_player_answer(const struct ipr_event_field *f,
                                    const struct ipr_event_entry *e, struct ipr_arena *mem);

/** Players with results and sums of their moves, by score. */
IPR_CHECK enum ipr_code ipr_event_field_of(const struct ipr_view_context *c, int32_t event,
                                           struct ipr_event_field *out, struct ipr_err *err);

/** Reads rounds and sums of all sides, and tests every player. */
IPR_CHECK enum ipr_code ipr_event_test_all(const struct ipr_view_context *c, int32_t event,
                                           struct ipr_event_field *f, struct ipr_err *err);

/** Who played whom; NULL of more than IPR_EVENT_TABLE players. */
struct ipr_answer_crosstable *ipr_event_crosstable(const struct ipr_event_field *f,
                                                   struct ipr_arena *mem);
struct ipr_answer_screening *ipr_event_screening(const struct ipr_event_field *f,
                                                 struct ipr_arena *mem);

/** How often such a test finds an engine user, by the figures of /validation for a field of this
 * size, level and number of rounds; *out stays where there are none. */
IPR_CHECK enum ipr_code ipr_event_finds(const struct ipr_view_context *c,
                                        const struct ipr_event_field *f, const char **out,
                                        struct ipr_err *err);

/** A game with the number of the opponent. */
struct ipr_answer_event_game ipr_event_game(const struct ipr_event_field *f,
                                            const struct ipr_event_side *s);

/** How many concordances of n players are extreme, and how many are expected by chance. */
struct ipr_answer_event_comparisons
ipr_event_comparisons(const struct ipr_figure_event_row *players, size_t n, struct ipr_arena *mem);

#endif
