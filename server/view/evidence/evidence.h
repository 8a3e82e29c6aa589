#ifndef IPR_VIEW_EVIDENCE_EVIDENCE_H
#define IPR_VIEW_EVIDENCE_EVIDENCE_H

#include "db/confirmations.h"
#include "db/evidence.h"
#include "db/lists.h"
#include "db/strength.h"
#include "view/context.h"
#include "view/game/report.h"

/* The analysed moves of a set of games, one by one: what each cost, and what the rating would be
 * without it. */

/** Refuses a set of more. */
enum ipr_code ipr_evidence_too_many(struct ipr_err *err);

struct ipr_evidence_move {
    uint32_t game;                      /* index of its game */
    const struct ipr_judged_turn *turn; /* `moves` NULL: only figures are stored */
    enum ipr_mark mark;        /* turn and cost are of the confirmed search where there is one */
    struct ipr_move_cost cost; /* phase IPR_PHASES: not known, as the position is not stored */
    /* The same by the setting's own search, whether or not it was confirmed: chosen moves alone
     * are, so that statistics are of these. */
    struct ipr_move_cost searched;
    struct ipr_move_strength
        strength; /* counts: false of an engine setting that does not tell it, and of figures */
    const struct ipr_strength_engine *engine; /* that tells it; NULL: none */
    int64_t clock_ms;                         /* left after the move; -1: the file does not say */
    int8_t hurried; /* made with little time left (model/profile.h); -1: the file does not say */
    double effect;  /* of the move on the mover's rating, Elo; NAN: none (ipr_evidence_effects) */
};

/** A person in the set, and what the moves add up to. */
struct ipr_evidence_person {
    int32_t id;
    int64_t score, information; /* in millionths */
    int32_t moves;              /* that count */
    int32_t games;
    unsigned classes;             /* set of IPR_TIME_BIT: of these games */
    struct ipr_side_sums figures; /* of these, those of which only figures are stored */
    struct ipr_strength_mix mix;
    struct ipr_strength_parts parts;
};

struct ipr_evidence_set {
    const struct ipr_db_evidence_game *games; /* [n_games] ascending id */
    size_t n_games;
    /* By game and colour, of the sides of which only figures are stored; [n_games] */
    struct ipr_side_sums (*sums)[2];
    struct ipr_evidence_move *moves; /* [n] ascending game, those of figures after the others of a
                                        game by one judge, ascending ply; with a choice */
    size_t n;
    struct ipr_evidence_person *people; /* [n_people] ascending id */
    size_t n_people;
    size_t without_moves; /* games of which only figures are stored */
    size_t figures;       /* moves of which only figures are stored */
};

/** Root of the person who moved. */
int32_t ipr_evidence_mover(const struct ipr_evidence_set *set, const struct ipr_evidence_move *m);

/** A judge and what it says of the games of a set. */
struct ipr_evidence_judge {
    const struct ipr_judge *judge;
    const struct ipr_strength_engine *engine; /* NULL: no rating is made of it */
    const struct ipr_db_game_evidence *of;    /* [n_games] */
};

/** A set is made of stored games, or of those of a file. */
struct ipr_evidence_source {
    const struct ipr_db_evidence_game *games; /* [n_games] ascending id */
    size_t n_games;
    const struct ipr_evidence_judge *by;
    size_t n_by;
    const struct ipr_judged_game *confirmed; /* [n_games] */
};

/** The moves of these games; of one person, the root `mover`, unless that is 0. */
IPR_CHECK enum ipr_code ipr_evidence_make(const struct ipr_evidence_source *from, int32_t mover,
                                          struct ipr_arena *mem, struct ipr_evidence_set *out,
                                          struct ipr_err *err);

/** The moves of the games `ids` by the judge of `c`, or if that rates by those that count for the
 * rating; of one person, the root `mover`, unless that is 0. */
IPR_CHECK enum ipr_code ipr_evidence_load(const struct ipr_view_context *c, const int64_t *ids,
                                          size_t n_ids, int32_t mover, struct ipr_evidence_set *out,
                                          struct ipr_err *err);

/** The sums of the person who moved. */
const struct ipr_evidence_person *ipr_evidence_person_of(const struct ipr_evidence_set *set,
                                                         const struct ipr_evidence_move *m);

/** The part of a move in the rating of the person who moved, Elo; NAN: it does not count, or there
 * is no rating within the calibrated range. */
double ipr_evidence_part(const struct ipr_evidence_set *set, const struct ipr_evidence_move *m);

/** Subtracts a move from the sums of a person. */
void ipr_evidence_subtract(struct ipr_evidence_person *who, const struct ipr_evidence_move *m);

/** The mean of a person's rating; NAN where no move counts, or without a scale. */
double ipr_evidence_rating(const struct ipr_evidence_person *who);

/** Sets `effect` of moves[k] for k in at[n]: the rating of the set less that without the move. */
void ipr_evidence_effects(const struct ipr_evidence_set *set, struct ipr_evidence_move **at,
                          size_t n);

/** Rows of the answer: the moves at[n]. `wide`: a context whose evaluations tell how likely moves
 * are; `all_lost`: expected points that all moves of the set lost. */
IPR_CHECK enum ipr_code ipr_evidence_rows(const struct ipr_view_context *wide,
                                          const struct ipr_evidence_set *set,
                                          struct ipr_evidence_move *const *at, size_t n,
                                          double all_lost, struct ipr_list_evidence_move *rows,
                                          struct ipr_err *err);

#endif
