#ifndef IPR_CORE_SETTING_H
#define IPR_CORE_SETTING_H

#include "core/config.h"
#include "uci/judge.h"

/* The part of the rule of view/setting.h that needs no database: what an answer or a search is for,
 * and the engine setting of each purpose that has one of its own. */

enum ipr_purpose {
    IPR_FOR_LINES,   /* methods that compare many lines, as the IPR does: twenty */
    IPR_FOR_RATING,  /* the rating by moves: two lines */
    IPR_FOR_FILES,   /* by evaluations in PGN files, which no engine here makes (file_evals.h) */
    IPR_FOR_NOTES,   /* by those of Alliot's annotated PGN (annotated.h) */
    IPR_FOR_HUMANS,  /* by networks of human moves, without evaluations (human_model.h) */
    IPR_FOR_QUEUE,   /* what games are queued for */
    IPR_FOR_PLAYER,  /* all figures of a year or a career; from here on several are tried */
    IPR_FOR_CAREER,  /* the rating and the counts of a player, year by year */
    IPR_FOR_YEARS,   /* lists of player-years */
    IPR_FOR_HEAD,    /* heads to heads */
    IPR_FOR_MOVES,   /* moves one by one */
    IPR_FOR_PROFILE, /* where a player loses points */
    IPR_FOR_REPORT   /* reports of methods that need two lines */
};

/** Name of the setting for a purpose that has one always: IPR_FOR_LINES to IPR_FOR_HUMANS. */
const char *ipr_setting_name(enum ipr_purpose purpose);

/** Name of the setting that games are analysed with: the requested one, if there is one. */
const char *ipr_setting_queue(const struct ipr_config *config, const char *requested);

/** Definition of the setting for IPR_FOR_RATING. */
struct ipr_judge ipr_setting_rating(void);

#endif
