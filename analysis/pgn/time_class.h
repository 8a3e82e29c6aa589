#ifndef IPR_PGN_TIME_CLASS_H
#define IPR_PGN_TIME_CLASS_H

#include "pgn/reader.h"

/* The numbers are stored. Games of a server have classes of their own: they are other games, by
 * other players, with other ratings. */
enum ipr_time_class {
    IPR_TIME_UNKNOWN,
    IPR_TIME_CLASSICAL,
    IPR_TIME_RAPID,
    IPR_TIME_BLITZ,
    IPR_TIME_BULLET,
    IPR_TIME_CORRESPONDENCE,
    IPR_TIME_ONLINE_CLASSICAL,
    IPR_TIME_ONLINE_RAPID,
    IPR_TIME_ONLINE_BLITZ,
    IPR_TIME_ONLINE_BULLET,
    IPR_TIME_ONLINE_UNKNOWN,
};
#define IPR_TIME_CLASSES 11
/** Added to the number of a class in aggregates of imported sides. */
#define IPR_TIME_IMPORTED 16

/** The source of a class: none, a tag about the time, the name of the event. */
enum ipr_time_known { IPR_TIME_NOT_KNOWN, IPR_TIME_TAGGED, IPR_TIME_INFERRED };

/** A set of classes: bit IPR_TIME_x for each. */
#define IPR_TIME_BIT(c)      (1u << (c))
#define IPR_TIME_SET_DEFAULT (IPR_TIME_BIT(IPR_TIME_CLASSICAL) | IPR_TIME_BIT(IPR_TIME_UNKNOWN))
#define IPR_TIME_SET_ALL     ((1u << IPR_TIME_CLASSES) - 1)
/** Beside the classes in a set that figures rest on: evaluations that were imported do not count.
 * Such sets are stored. */
#define IPR_TIME_OWN (1u << 14)

/** Class of a game: TimeControl (and other tags about the time, e.g. EventType, Mode) first, by the
 * time for 60 moves as in the FIDE Laws (bullet below 3 minutes); else the names of the event.
 *
 * A game was played on a server if its Site, or an address of the game (Link, GameUrl), names one;
 * a broadcast or a study there tells nothing. It has the class of the server's own rule: by the
 * seconds of the base and 40 increments bullet below 180, blitz below 480, rapid below 1500, else
 * classical; on chess.com blitz below 600, else rapid. Where the tags do not tell its speed it is
 * IPR_TIME_ONLINE_UNKNOWN: unknown counts as over the board. Correspondence is correspondence
 * wherever it was played. */
enum ipr_time_class ipr_time_class(const struct ipr_pgn_tag *tags, size_t n_tags,
                                   enum ipr_time_known *known);

/** The server that a game was played on: "lichess", "chess.com", "FICS", ...; NULL: none. */
const char *ipr_game_server(const struct ipr_pgn_tag *tags, size_t n);

/** "unknown", "classical", ..., "online-rapid", ... and back (IPR_TIME_CLASSES when it is none of
 * them). */
const char *ipr_time_class_name(enum ipr_time_class c);
enum ipr_time_class ipr_time_class_read(struct ipr_str name);
/** Reads names separated by commas, or "all". Returns the word that is neither; NULL: *set is set.
 */
const char *ipr_time_set_read(const char *text, unsigned *set);
/** "unknown", "tag", "inferred". */
const char *ipr_time_known_name(enum ipr_time_known k);

#endif
