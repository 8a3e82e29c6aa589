#ifndef IPR_PGN_TIME_CLASS_H
#define IPR_PGN_TIME_CLASS_H

#include "pgn/reader.h"

/* The numbers are stored. */
enum ipr_time_class {
    IPR_TIME_UNKNOWN,
    IPR_TIME_CLASSICAL,
    IPR_TIME_RAPID,
    IPR_TIME_BLITZ,
    IPR_TIME_BULLET,
    IPR_TIME_CORRESPONDENCE,
};
#define IPR_TIME_CLASSES 6

/** The source of a class: none, a tag about the time, the name of the event. */
enum ipr_time_known { IPR_TIME_NOT_KNOWN, IPR_TIME_TAGGED, IPR_TIME_INFERRED };

/** A set of classes: bit IPR_TIME_x for each. */
#define IPR_TIME_BIT(c)      (1u << (c))
#define IPR_TIME_SET_DEFAULT (IPR_TIME_BIT(IPR_TIME_CLASSICAL) | IPR_TIME_BIT(IPR_TIME_UNKNOWN))
#define IPR_TIME_SET_ALL     ((1u << IPR_TIME_CLASSES) - 1)
/** Beside the classes in a set that figures rest on: evaluations that were imported do not count.
 */
#define IPR_TIME_OWN (1u << IPR_TIME_CLASSES)

/** Class of a game: TimeControl (and other tags about the time, e.g. EventType, Mode) first, by the
 * time for 60 moves as in the FIDE Laws (bullet below 3 minutes); else the names of the event. */
enum ipr_time_class ipr_time_class(const struct ipr_pgn_tag *tags, size_t n_tags,
                                   enum ipr_time_known *known);

/** "unknown", "classical", ... and back (IPR_TIME_CLASSES when it is none of them). */
const char *ipr_time_class_name(enum ipr_time_class c);
enum ipr_time_class ipr_time_class_read(struct ipr_str name);
/** Reads names separated by commas, or "all". Returns the word that is neither; NULL: *set is set.
 */
const char *ipr_time_set_read(const char *text, unsigned *set);
/** "unknown", "tag", "inferred". */
const char *ipr_time_known_name(enum ipr_time_known k);

#endif
